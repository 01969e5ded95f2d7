"""The gate's rules read a second time, in plain Python, as the oracle of the differential test.

Nothing here comes from revcap: the tables are written by hand, the JSON reader is its own, and the code stands in the
order of the rungs. Whoever doubts an answer reads the rung in ``docs/ladder.md``, and here the function of that number.

| module | rungs |
| --- | --- |
| ``http_envelope`` | H1-H5, GET and DELETE |
| ``json_reader``, ``message``, ``batch`` | P1; P3-P5; P2 |
| ``version`` | V1-V4, the header x claim matrix |
| ``session``, ``legacy`` | L1; L0, L2-L4 |
| ``modern``, ``mirror`` | M0-M4, M7, M8; M2, M5, M6 |
| ``parameters`` | what L3 and M4 read, and what is stripped |
| ``client``, ``server``, ``handshake`` | client flags, the method gate, the gate's own answers |
| ``ticket`` | the session ids of tickets, apart from the others |
| ``table``, ``config``, ``answer`` | facts by revision, the arguments, the result |
"""

from .answer import Answer, WouldReject
from .config import Config, Server, Session
from .judge import judge, judge_message

__all__ = ["Answer", "Config", "Server", "Session", "WouldReject", "judge", "judge_message"]
