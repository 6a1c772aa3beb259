import { t } from '@lingui/core/macro';
import { Box, Group, Stack, Text } from '@mantine/core';
import { useId } from 'react';
import { ErrorNotice, Notice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Switch } from '../../../ui/form/Field.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { usePause, usePreferences } from '../queries.ts';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';

/** A switch for whether new people can see the member; it is saved at once. */
export function PauseChoice() {
  const id = useId();
  const query = usePreferences();
  const pause = usePause();
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading your settings...`}
      skeleton="4.5rem"
      errorText={(error) => t`Couldn't load your settings: ${error}`}
    >
      {({ isPaused }) => (
        <Stack gap="0.6rem">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <Box component="label" fw={600} htmlFor={id}>
                {t`Pause my profile`}
              </Box>
              <Text id={`${id}-about`} mt="0.15rem">
                {t`New people can't find you. Your matches can still message you.`}
              </Text>
            </div>
            <Switch
              id={id}
              aria-describedby={`${id}-about`}
              checked={pause.isPending ? pause.variables : isPaused}
              onChange={(event) => !pause.isPending && pause.mutate(event.currentTarget.checked)}
            />
          </Group>
          <Hint>
            {t`People you liked can still see you and like you back. You won't see new people until you resume.`}
          </Hint>
          <div role="status" className="visually-hidden">
            {pause.isSuccess && (isPaused ? t`Your profile is paused.` : t`Your profile is visible again.`)}
          </div>
          <ErrorNotice error={pause.error} text={(error) => t`Couldn't change this: ${error}`} />
        </Stack>
      )}
    </QueryStates>
  );
}

/**
 * Reminds members that their profile is paused, with a button to resume it, and then confirms that it is visible again.
 */
export function PausedNotice({ isPaused }: { isPaused: boolean }) {
  const pause = usePause();
  if (!isPaused) return pause.isSuccess && <Notice kind="success">{t`Your profile is visible again.`}</Notice>;
  return (
    <>
      <Notice
        kind="info"
        isNews={false}
        action={
          <BusyButton size="xs" isBusy={pause.isPending} busyText={t`Resuming...`} onClick={() => pause.mutate(false)}>
            {t`Resume`}
          </BusyButton>
        }
      >
        {t`Your profile is paused. New people can't find you.`}
      </Notice>
      <ErrorNotice error={pause.error} text={(error) => t`Couldn't resume your profile: ${error}`} />
    </>
  );
}
