import type { MessageDescriptor } from '@lingui/core';
import { t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { type SavedView, viewBodySchema, viewNameMax } from '#contract/moderation/saved-views.ts';
import { ConfirmDialog, FormDialog } from '../../feedback/FormDialog.tsx';
import { CheckField, TextField } from '../../form/Field.tsx';
import { useForm } from '../../form/use-form.ts';
import { unitsFor } from '../../text/text.ts';

export interface SaveListProps {
  /** The list to change; null to save a new one. */
  of: SavedView | null;
  /** The filters in words. */
  summary: string;
  /** Who sees a shared list, and what happens to the rows of a deleted one; untranslated. */
  texts: Record<'share' | 'remove', MessageDescriptor>;
  mayShare: boolean;
  /** Saves the filters as a new list, or changes the saved one; returns the id. */
  save: (body: { name: string; isShared?: boolean | undefined }) => Promise<string>;
  remove: {
    mutate: (id: string, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: Error | null;
  };
  onSaved: (id: string) => void;
  onDeleted: () => void;
  onClose: () => void;
}

function DeleteDialog(props: SaveListProps & { of: SavedView }) {
  const { of, texts, remove, onDeleted, onClose } = props;
  const isShared = of.isShared && `${t`It will be deleted for the whole team.`} `;
  return (
    <ConfirmDialog
      title={t`Delete the list “${{ name: of.name }}”?`}
      confirmText={t`Delete list`}
      busyText={t`Deleting...`}
      command={remove}
      errorText={(error) => t`Couldn't delete the list: ${error}`}
      onConfirm={() => remove.mutate(of._id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {isShared}
      {t(texts.remove)}
    </ConfirmDialog>
  );
}

/** A dialog that saves a list under a name, or renames, shares or deletes a saved one. */
export function SaveListDialog(props: SaveListProps) {
  const { of, summary, texts, mayShare, save, onSaved, onClose } = props;
  const [isDeleting, setDeleting] = useState(false);
  const form = useForm({
    initial: { name: of?.name ?? '', isShared: of?.isShared ?? false },
    schema: viewBodySchema,
    send: async (body) => onSaved(await save(body)),
    onSent: onClose,
  });
  if (isDeleting && of !== null) return <DeleteDialog {...props} of={of} onClose={() => setDeleting(false)} />;
  return (
    <FormDialog
      title={of === null ? t`Save list` : t`Edit list`}
      size="narrow"
      form={form}
      sendText={t`Save`}
      moreActions={
        of !== null && (
          <Button variant="subtle" onClick={() => setDeleting(true)}>
            {t`Delete list`}
          </Button>
        )
      }
      onClose={onClose}
    >
      <Text c="dimmed">{summary}</Text>
      <TextField label={t`Name`} required maxLength={unitsFor(viewNameMax)} data-autofocus {...form.bind('name')} />
      {mayShare && (
        <CheckField label={t`Share with the team`} description={t(texts.share)} {...form.bindCheckbox('isShared')} />
      )}
    </FormDialog>
  );
}
