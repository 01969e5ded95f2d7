// A visit by the TypeScript SDK: typescript_sdk.mjs MAJOR URL; prints what worked as JSON.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [, , major, url] = process.argv;
const require = createRequire(`${process.cwd()}/`);
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

const outcome = { revision: '', worked: {}, faults: {} };
const attempt = async (name, act, holds = '') => {
  try {
    const answer = JSON.stringify(await act());
    outcome.worked[name] = answer.includes(holds) && !answer.includes('"isError":true');
    if (!outcome.worked[name]) outcome.faults[name] = answer.slice(0, 300);
  } catch (error) {
    outcome.worked[name] = false;
    outcome.faults[name] = String(error).slice(0, 300);
  }
};
const fill = (request) => ({
  action: 'accept',
  content: Object.fromEntries(Object.keys(request.params.requestedSchema.properties).map((key) => [key, 'x'])),
});

try {
  let Client, StreamableHTTPClientTransport;
  let form;
  const about = { name: 'visit', version: '1.0.0' };
  const capabilities = { elicitation: {} };
  let client;
  if (major === '2') {
    ({ Client, StreamableHTTPClientTransport } = await load('@modelcontextprotocol/client'));
    client = new Client(about, { capabilities, versionNegotiation: { mode: 'auto' } });
    client.setRequestHandler('elicitation/create', async (request) => fill(request));
  } else {
    ({ Client } = await load('@modelcontextprotocol/sdk/client/index.js'));
    ({ StreamableHTTPClientTransport } = await load('@modelcontextprotocol/sdk/client/streamableHttp.js'));
    ({ ElicitRequestSchema: form } = await load('@modelcontextprotocol/sdk/types.js'));
    client = new Client(about, { capabilities: form ? capabilities : {} });
    if (form) client.setRequestHandler(form, async (request) => fill(request));
  }
  const transport = new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  outcome.revision = client.getNegotiatedProtocolVersion?.() ?? transport.protocolVersion ?? '';
  const modern = !['', '2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'].includes(outcome.revision);
  await attempt('list', () => client.listTools());
  await attempt('call', () => client.callTool({ name: 'echo', arguments: { message: 'hello' } }), 'hello');
  await attempt('prompt', () => client.getPrompt({ name: 'test_simple_prompt' }));
  await attempt('resource', () => client.readResource({ uri: 'test://static-text' }), 'resource');
  if (major === '2' || form) {
    const tool = modern ? 'test_input_required_result_elicitation' : 'test_elicitation';
    await attempt('elicitation', () => client.callTool({ name: tool, arguments: { message: '?' } }), modern ? 'Hello, ' : 'accept');
  }
  await client.close();
} catch (error) {
  outcome.faults.connect = String(error).slice(0, 300);
}
console.log(JSON.stringify(outcome));
process.exit(0);
