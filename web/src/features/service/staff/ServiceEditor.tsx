import { t } from '@lingui/core/macro';
import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { getService, type Service } from '#contract/service/service.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { BannerPanel } from './BannerPanel.tsx';
import { BrandPanel } from './BrandPanel.tsx';
import { FiguresPanel } from './FiguresPanel.tsx';
import { FrontDoorPanel } from './FrontDoorPanel.tsx';
import { ListsPanel } from './ListsPanel.tsx';
import classes from './service.module.css';
import { PartsPanel } from './PartsPanel.tsx';
import { useDraft } from './use-draft.ts';
import { Versions } from './Versions.tsx';

/** Saves or discards the edits of all panels together. */
function SaveBar({ draft }: { draft: ReturnType<typeof useDraft> }) {
  const { isSaving, error, hasErrors, discard, submit } = draft;
  return (
    <Paper className={classes.saveBar} shadow="md" radius="md" p="0.8rem 1rem">
      <Stack gap="0.6rem">
        {hasErrors ? (
          <Notice kind="error">{t`Some fields can't be saved like this. Their errors are shown above.`}</Notice>
        ) : (
          <ErrorNotice error={error} text={(error) => t`Couldn't save: ${error}`} />
        )}
        <Group gap="0.6rem" justify="space-between">
          <Text>{t`Not saved yet`}</Text>
          <Group gap="0.6rem">
            <Button variant="default" disabled={isSaving} onClick={discard}>
              {t`Discard`}
            </Button>
            <BusyButton isBusy={isSaving} busyText={t`Saving...`} onClick={submit}>
              {t`Save for everyone`}
            </BusyButton>
          </Group>
        </Group>
      </Stack>
    </Paper>
  );
}

function Editor({ service }: { service: Service }) {
  const draft = useDraft(service);
  return (
    <Stack key={draft.round} gap="1.4rem">
      {service.versions[0]?.isBroken === true && (
        <Notice kind="warning" isNews={false}>
          {t`The newest version can't be read, so the one before it applies. Save again to replace it.`}
        </Notice>
      )}
      <BrandPanel draft={draft.part('brand')} configured={service.configured} />
      <FrontDoorPanel frontDoor={draft.part('frontDoor')} registration={draft.part('registration')} />
      <FiguresPanel draft={draft.part('figures')} />
      <BannerPanel draft={draft.part('banner')} />
      <PartsPanel draft={draft.part('parts')} />
      <ListsPanel draft={draft.part('lists')} saved={service.settings.lists} />
      <Versions service={service} />
      {draft.isEdited && <SaveBar draft={draft} />}
    </Stack>
  );
}

/** Everything that the owner can change about the service while it runs. */
export function ServiceEditor() {
  const query = useEndpoint(getService);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading the service...`}
      skeleton="40rem"
      errorText={(error) => t`Error loading the service: ${error}`}
    >
      {(service) => <Editor service={service} />}
    </QueryStates>
  );
}
