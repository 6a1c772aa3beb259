import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { IconTag } from '@tabler/icons-react';
import { useState } from 'react';
import { tagsOfUserMax, tagUser, type UserTag, listTags } from '#contract/moderation/tags.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { Tag } from '../../../ui/data/Tag.tsx';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { QueryStates } from '../../../ui/feedback/PageStates.tsx';
import { listOf } from '../../../ui/form/BasicPreferenceFields.tsx';
import { ChipPicker } from '../../../ui/form/ChipPicker.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { Hint } from '../../../ui/layout/text-blocks.tsx';

interface UserTagsProps {
  userId: string;
  name: string;
  tags: readonly UserTag[];
}

function TagsDialog({ userId, name, tags, onClose }: UserTagsProps & { onClose: () => void }) {
  const query = useEndpoint(listTags);
  const [before] = useState(() => tags.map(({ _id }) => _id));
  const form = useForm({
    initial: { tags: before.join(',') },
    ...formOf(tagUser, { params: { id: userId } }),
    toBody: ({ tags: ids }) => {
      const chosen = listOf(ids);
      return {
        add: chosen.filter((id) => !before.includes(id)),
        remove: before.filter((id) => !chosen.includes(id)),
      };
    },
    onSent: onClose,
  });
  return (
    <FormDialog title={t`Tags of ${name}`} form={form} sendText={t`Save tags`} onClose={onClose}>
      <QueryStates
        query={query}
        loadingText={t`Loading tags...`}
        skeleton="8rem"
        errorText={(error) => t`Error loading tags: ${error}`}
      >
        {({ tags: all }) => {
          // Retired tags can be removed, but not added.
          const chips = all.filter(({ _id, isRetired }) => !isRetired || before.includes(_id));
          return (
            <ChipPicker
              name="tags"
              label={t`Tags`}
              searchLabel={t`Search tags`}
              groups={[{ title: null, chips: chips.map(({ _id, name: label }) => ({ value: _id, label })) }]}
              chosen={listOf(form.values.tags)}
              most={tagsOfUserMax}
              onChange={(chosen) => form.set('tags', chosen.join(','))}
            />
          );
        }}
      </QueryStates>
    </FormDialog>
  );
}

/** The tags of a person, with a form to change them. */
export function UserTags({ mayTag, ...props }: UserTagsProps & { mayTag: boolean }) {
  const { tags } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <Group gap="0.4rem" mb="1rem">
      {tags.length === 0 && <Hint>{t`No tags`}</Hint>}
      {tags.map(({ _id, name, isRetired }) => (
        <Tag key={_id} tone={isRetired ? 'quiet' : 'accent'}>
          <bdi>{name}</bdi>
        </Tag>
      ))}
      {mayTag && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconTag size={15} stroke={1.75} aria-hidden="true" />}
          onClick={() => setOpen(true)}
        >
          {t`Change tags`}
        </Button>
      )}
      {isOpen && <TagsDialog {...props} onClose={() => setOpen(false)} />}
    </Group>
  );
}
