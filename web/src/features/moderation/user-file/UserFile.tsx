import { msg, t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { IconNote } from '@tabler/icons-react';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'react-router';
import { type FileEntry, getUserFile } from '#contract/moderation/user-file.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { type FileKind, fileKindNames } from '#contract/roles.ts';
import { endpointPages } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { InfiniteList } from '../../../ui/data/InfiniteList.tsx';
import { optionsOf, ChosenChips, FilterChoices } from '../../../ui/data/table/ListFilters.tsx';
import { useNow } from '../../../ui/data/Time.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { personName } from '../../../ui/text/person.ts';
import { FileEntries } from './FileEntries.tsx';
import { kindWords } from './file-words.ts';
import { NoteDialog } from './NoteDialog.tsx';
import { UserTags } from './UserTags.tsx';

const entriesPerAnswer = 30;

/** The known kinds in the page's URL. */
function useKinds() {
  const [params, setParams] = useSearchParams();
  const asked = params.get('kind')?.split(',') ?? [];
  function choose(kinds: readonly FileKind[]) {
    const next = new URLSearchParams(params);
    if (kinds.length === 0) next.delete('kind');
    else next.set('kind', kinds.join(','));
    setParams(next, { preventScrollReset: true });
  }
  return { chosen: fileKindNames.filter((kind) => asked.includes(kind)), choose };
}

interface KindFilterProps {
  /** The kinds that the viewer may request. */
  kinds: readonly FileKind[];
  chosen: readonly FileKind[];
  onChoose: (kinds: readonly FileKind[]) => void;
}

function KindFilter({ kinds, chosen, onChoose }: KindFilterProps) {
  const choices = optionsOf(kinds, kindWords);
  return (
    <Group align="end" gap="0.5rem" mb="1rem">
      <FilterChoices
        label={t`Show`}
        allText={kinds.includes('read') ? msg`Everything but views by the team` : msg`Everything`}
        chosen={chosen}
        choices={choices}
        onChoose={onChoose}
      />
      <ChosenChips chosen={chosen} choices={choices} onChoose={onChoose} />
    </Group>
  );
}

/** What the team knows about a person: tags, and all events that the viewer may see. */
export function UserFile({ user }: { user: AdminUser }) {
  const { chosen, choose } = useKinds();
  const query = useInfiniteQuery({
    ...endpointPages(getUserFile, { params: { id: user._id }, query: { kind: [...chosen], limit: entriesPerAnswer } }),
    // Reading it is recorded, so it is not repeated without need.
    staleTime: 60_000,
    refetchOnWindowFocus: false,
    placeholderData: keepPreviousData,
  });
  const now = useNow(15_000);
  const mayNote = useMay('users.note') && user.can.act;
  const [edited, setEdited] = useState<FileEntry | 'new' | null>(null);
  const name = personName(user) ?? t`Unknown`;
  return (
    <Panel
      title={t`File`}
      lead={t`What happened, newest first`}
      actions={
        mayNote && (
          <Button
            variant="default"
            size="sm"
            leftSection={<IconNote size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => setEdited('new')}
          >
            {t`Add note`}
          </Button>
        )
      }
    >
      <QueryStates
        query={query}
        loadingText={t`Loading file...`}
        skeleton="16rem"
        errorText={(error) => t`Error loading file: ${error}`}
      >
        {({ pages }) => {
          const { kinds = [], tags = [] } = pages[0] ?? {};
          const entries = pages.flatMap((page) => page.entries);
          if (kinds.length === 0)
            return <EmptyState text={t`You are involved with this person, so their file is closed to you.`} />;
          return (
            <>
              <UserTags userId={user._id} name={name} tags={tags} mayTag={mayNote} />
              <KindFilter kinds={kinds} chosen={chosen.filter((kind) => kinds.includes(kind))} onChoose={choose} />
              {entries.length === 0 ? (
                <EmptyState
                  text={t`Nothing happened yet.`}
                  {...(chosen.length > 0 && { onClearFilters: () => choose([]) })}
                />
              ) : (
                <InfiniteList query={query}>
                  <FileEntries entries={entries} now={now} onEdit={setEdited} />
                </InfiniteList>
              )}
            </>
          );
        }}
      </QueryStates>
      {edited !== null && (
        <NoteDialog
          userId={user._id}
          name={name}
          note={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
    </Panel>
  );
}
