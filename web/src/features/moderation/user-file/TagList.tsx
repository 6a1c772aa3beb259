import { plural, t } from '@lingui/core/macro';
import { Button, Group, Stack, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import {
  addTag,
  mergeTag,
  type Tag,
  tagUsersCounted,
  listTags,
  renameTag,
  retireTag,
} from '#contract/moderation/tags.ts';
import { formOf, sendCommand } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { StateList } from '../../../ui/data/Facts.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { EmptyState, QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { SelectField, TextField } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';

function NameDialog({ tag, onClose }: { tag: Tag | null; onClose: () => void }) {
  const form = useForm({
    initial: { name: tag?.name ?? '' },
    ...(tag === null ? formOf(addTag, {}) : formOf(renameTag, { params: { id: tag._id } })),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={tag === null ? t`Add tag` : t`Rename “${{ name: tag.name }}”`}
      size="narrow"
      form={form}
      sendText={t`Save`}
      onClose={onClose}
    >
      <TextField label={t`Name`} required data-autofocus {...form.bind('name')} />
    </FormDialog>
  );
}

function EndDialog({ tag, others, onClose }: { tag: Tag; others: readonly Tag[]; onClose: () => void }) {
  const form = useForm({
    initial: { into: tag._id },
    schema: mergeTag.body,
    send: (body): Promise<unknown> =>
      body.into === tag._id
        ? sendCommand(retireTag, { params: { id: tag._id } })
        : sendCommand(mergeTag, { params: { id: tag._id }, body }),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={t`Take “${{ name: tag.name }}” out of use?`}
      size="narrow"
      form={form}
      sendText={form.values.into === tag._id ? t`Retire` : t`Merge`}
      onClose={onClose}
    >
      <SelectField
        label={t`People who have it`}
        choices={[
          { value: tag._id, label: t`Keep it, but no one else gets it` },
          ...others.map(({ _id, name }) => ({ value: _id, label: t`Have “${name}” instead` })),
        ]}
        {...form.bind('into')}
      />
    </FormDialog>
  );
}

const usersText = ({ userCount: count }: Tag) =>
  count >= tagUsersCounted ? t`${count} people or more` : t`${plural(count, { one: '# person', other: '# people' })}`;

type Asked = { what: 'name'; tag: Tag | null } | { what: 'end'; tag: Tag };

/** The tags that people can have; those with the right add, rename, merge and retire them. */
export function TagList({ mayEdit }: { mayEdit: boolean }) {
  const query = useEndpoint(listTags);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  const used = (query.data?.tags ?? []).filter(({ isRetired }) => !isRetired);
  return (
    <Stack component="section" gap="1.4rem" mt="2.5rem" aria-label={t`Tags`}>
      <Group justify="space-between" gap="0.5rem 1rem">
        <Title order={2}>{t`Tags`}</Title>
        {mayEdit && (
          <Button
            leftSection={<IconPlus size={17} stroke={1.75} aria-hidden="true" />}
            onClick={() => setAsked({ what: 'name', tag: null })}
          >
            {t`Add tag`}
          </Button>
        )}
      </Group>
      <QueryStates
        query={query}
        loadingText={t`Loading tags...`}
        skeleton="10rem"
        errorText={(error) => t`Error loading tags: ${error}`}
      >
        {() =>
          used.length === 0 ? (
            <EmptyState text={t`No tags yet.`} hint={t`Senior moderators add them.`} isFramed />
          ) : (
            <Panel title={t`In use`} lead={t`Members never see them`}>
              <StateList
                label={t`Tags`}
                rows={used.map((tag) => ({
                  id: tag._id,
                  name: (
                    <>
                      <bdi>{tag.name}</bdi>
                      <Hint>{usersText(tag)}</Hint>
                    </>
                  ),
                  end: mayEdit && (
                    <Group gap="0.4rem">
                      <Button
                        variant="subtle"
                        size="sm"
                        aria-label={t`Retire or merge ${{ name: tag.name }}`}
                        onClick={() => setAsked({ what: 'end', tag })}
                      >
                        {t`Retire or merge`}
                      </Button>
                      <Button
                        variant="default"
                        size="sm"
                        aria-label={t`Rename ${{ name: tag.name }}`}
                        onClick={() => setAsked({ what: 'name', tag })}
                      >
                        {t`Rename`}
                      </Button>
                    </Group>
                  ),
                }))}
              />
            </Panel>
          )
        }
      </QueryStates>
      {asked?.what === 'name' && <NameDialog tag={asked.tag} onClose={close} />}
      {asked?.what === 'end' && (
        <EndDialog tag={asked.tag} others={used.filter(({ _id }) => _id !== asked.tag._id)} onClose={close} />
      )}
    </Stack>
  );
}
