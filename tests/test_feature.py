"""`Feature` and `ClientFeature`."""

import copy
import pickle

import pytest

from revcap import ClientFeature, Feature, RevcapError, Revision

RECORD = {
    Feature.STATELESS: Revision.V2026_07_28,
    Feature.COMPLETIONS: Revision.V2025_03_26,
    Feature.ELICITATION: Revision.V2025_06_18,
    Feature.PROGRESS_MESSAGE: Revision.V2025_03_26,
    Feature.RESOURCE_SUBSCRIPTIONS: Revision.V2025_06_18,
    Feature.SAMPLING_TOOLS: Revision.V2025_11_25,
    Feature.STRUCTURED_CONTENT: Revision.V2025_06_18,
    Feature.TASKS: Revision.V2025_11_25,
}


@pytest.mark.parametrize(("feature", "since"), RECORD.items())
def test_the_records_features_begin_with_their_revision_and_last(feature: Feature, since: Revision) -> None:
    assert feature.since is since
    assert feature.until is None


def test_batches_came_and_went() -> None:
    assert (Feature.BATCH.since, Feature.BATCH.until) == (Revision.V2025_03_26, Revision.V2025_06_18)


@pytest.mark.parametrize("feature", [Feature.ROOTS, Feature.SAMPLING, Feature.LOGGING])
def test_roots_sampling_and_logging_are_deprecated_for_a_year(feature: Feature) -> None:
    assert (feature.deprecated_in, feature.earliest_removal) == (Revision.V2026_07_28, "2027-07-28")


def test_what_an_extension_brings_says_so() -> None:
    assert Feature.TASKS_UPDATE.extension == "io.modelcontextprotocol/tasks"
    assert Feature.TASKS.extension is None


@pytest.mark.parametrize("feature", Feature, ids=repr)
def test_every_feature_has_every_fact(feature: Feature) -> None:
    assert isinstance(feature.since, Revision)
    assert feature.until is None or feature.until > feature.since
    assert feature.deprecated_in is None or feature.deprecated_in >= feature.since
    assert (feature.deprecated_in is None) == (feature.earliest_removal is None)
    assert feature.wire
    assert feature.spec


@pytest.mark.parametrize("feature", ClientFeature, ids=repr)
def test_every_client_feature_has_a_path_and_its_revisions(feature: ClientFeature) -> None:
    assert feature.path
    assert isinstance(feature.since, Revision)
    assert feature.until is None or feature.until > feature.since


def test_a_client_feature_is_its_member_path() -> None:
    assert ClientFeature.TASKS_SAMPLING.path == ("tasks", "requests", "sampling", "createMessage")
    assert ClientFeature.TASKS_EXTENSION.path == ("extensions", "io.modelcontextprotocol/tasks")
    assert ClientFeature.ROOTS.deprecated_in is Revision.V2026_07_28
    assert ClientFeature.TASKS_EXTENSION.extension == "io.modelcontextprotocol/tasks"
    assert ClientFeature.ROOTS.extension is None


@pytest.mark.parametrize("several", [Feature(0), Feature.PING | Feature.BATCH, ClientFeature(0), ~ClientFeature.ROOTS])
def test_a_set_of_features_has_no_facts_of_one(several: Feature | ClientFeature) -> None:
    with pytest.raises(RevcapError, match="since is a fact of one feature"):
        _ = several.since


@pytest.mark.parametrize("feature", [Feature.TASKS, Feature.PING | Feature.BATCH, ClientFeature.ROOTS, Feature(0)])
def test_features_survive_pickle_and_copy(feature: Feature | ClientFeature) -> None:
    assert pickle.loads(pickle.dumps(feature)) == feature
    assert copy.deepcopy(feature) == feature
    assert type(pickle.loads(pickle.dumps(feature))) is type(feature)
