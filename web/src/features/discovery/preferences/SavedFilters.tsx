import { t } from '@lingui/core/macro';
import { Button, Group, Stack } from '@mantine/core';
import { IconBell, IconBellFilled, IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { getNotificationSettings } from '#contract/notifications.ts';
import {
  getSavedFilters,
  putSavedFilters,
  type SavedFilter,
  savedFilterNameMaxLength,
  savedFiltersMax,
} from '#contract/saved-filters.ts';
import { endpointQuery, useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { queryClient } from '../../../api/query-client.ts';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { BusyButton } from '../../../ui/form/BusyButton.tsx';
import { TextField } from '../../../ui/form/Field.tsx';
import { Hint, Well } from '../../../ui/layout/text-blocks.tsx';
import { isAlertOn, useSavePreferences, useTellMe } from '../queries.ts';

/** The alerts of saved filters. The first alert turns the notifications on, and only for its own filter, even if others had an alert before. */
function useAlerts(filters: SavedFilter[], save: (filters: SavedFilter[]) => void) {
  const settings = useEndpoint(getNotificationSettings).data?.settings;
  const tellMe = useTellMe();
  const isTold = settings !== undefined && isAlertOn(settings);
  return {
    error: tellMe.error,
    isOn: ({ hasAlert }: SavedFilter) => isTold && hasAlert === true,
    turn(filter: SavedFilter, isOn: boolean) {
      const others = isTold ? {} : { hasAlert: false };
      save(filters.map((one) => ({ ...one, ...(one === filter ? { hasAlert: isOn } : others) })));
      if (isOn && !isTold && !tellMe.isPending) tellMe.mutate();
    },
  };
}

interface AlertBellProps {
  name: string;
  isOn: boolean;
  onTurn: (isOn: boolean) => void;
}

function AlertBell({ name, isOn, onTurn }: AlertBellProps) {
  const Bell = isOn ? IconBellFilled : IconBell;
  return (
    <Button
      variant="subtle"
      mih={44}
      px="0.8rem"
      aria-pressed={isOn}
      aria-label={t`Tell me when someone new fits “${name}”`}
      onClick={() => onTurn(!isOn)}
    >
      <Bell size={16} stroke={2} aria-hidden="true" />
    </Button>
  );
}

interface SavedFiltersProps {
  /** The current values of the form; null if it has errors. */
  current: () => SavedFilter['preferences'] | null;
  onApplied: () => void;
}

/** The member's named sets of preferences: one press applies a set; the current one can be saved under a name. */
export function SavedFilters({ current, onApplied }: SavedFiltersProps) {
  const [name, setName] = useState('');
  const { data, error } = useEndpoint(getSavedFilters);
  const filters = data?.filters ?? [];
  const apply = useSavePreferences();
  const save = useCommand(putSavedFilters, (next: SavedFilter[]) => ({ body: { filters: next } }), {
    onSuccess: (saved) => {
      queryClient.setQueryData(endpointQuery(getSavedFilters).queryKey, saved);
      setName('');
    },
  });
  const alerts = useAlerts(filters, (next) => {
    if (!save.isPending) save.mutate(next);
  });
  const field = useRef<HTMLInputElement>(null);
  // The button that deletes a set disappears with it.
  useEffect(() => {
    if (save.isSuccess && document.activeElement === document.body) field.current?.focus();
  }, [save.isSuccess, data]);

  function add() {
    const preferences = current();
    if (preferences !== null && name.trim() !== '') save.mutate([...filters, { name, preferences }]);
  }
  return (
    <Well component="section" aria-label={t`Saved filters`}>
      <Stack gap="0.6rem">
        <Hint>{t`Save these filters under a name, and switch between them with one press. The bell tells you when someone new fits them, or the filters in use.`}</Hint>
        {filters.length > 0 && (
          <Group component="ul" gap="0.6rem" aria-label={t`Saved filters`}>
            {filters.map((filter) => (
              <Group component="li" key={filter.name} gap={0} wrap="nowrap">
                <Button
                  variant="default"
                  mih={44}
                  aria-label={t`Use the filters “${{ name: filter.name }}”`}
                  onClick={() => !apply.isPending && apply.mutate(filter.preferences, { onSuccess: onApplied })}
                >
                  <bdi>{filter.name}</bdi>
                </Button>
                <AlertBell name={filter.name} isOn={alerts.isOn(filter)} onTurn={(isOn) => alerts.turn(filter, isOn)} />
                <Button
                  variant="subtle"
                  mih={44}
                  px="0.8rem"
                  aria-label={t`Delete the filters “${{ name: filter.name }}”`}
                  onClick={() => !save.isPending && save.mutate(filters.filter((one) => one !== filter))}
                >
                  <IconX size={16} stroke={2} aria-hidden="true" />
                </Button>
              </Group>
            ))}
          </Group>
        )}
        {filters.length < savedFiltersMax && (
          <Group gap="0.6rem" align="flex-end">
            <TextField
              ref={field}
              label={t`Name of these filters`}
              maxLength={savedFilterNameMaxLength}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                add();
              }}
            />
            <BusyButton variant="default" mih={44} isBusy={save.isPending} busyText={t`Saving...`} onClick={add}>
              {t`Save filters`}
            </BusyButton>
          </Group>
        )}
        <ErrorNotice
          error={apply.error ?? save.error ?? alerts.error ?? error}
          text={(error) => t`That didn't work: ${error}`}
        />
      </Stack>
    </Well>
  );
}
