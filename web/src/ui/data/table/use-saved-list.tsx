import { Button, Text } from '@mantine/core';
import { IconBookmark } from '@tabler/icons-react';
import { useState } from 'react';
import { type SavedView, viewBodySchema, viewNameMax } from '#contract/moderation/saved-views.ts';
import { ConfirmDialog } from '../../feedback/Dialog.tsx';
import { FormDialog } from '../../feedback/FormDialog.tsx';
import { CheckField, TextField } from '../../form/Field.tsx';
import { useForm } from '../../form/use-form.ts';
import { t, unitsFor } from '../../text/text.ts';

interface SavedListOptions<V extends SavedView> {
  /** The saved list that the filters come from, if any. */
  from: V | undefined;
  /** The filters are not, or no longer, those of `from`. */
  isChanged: boolean;
  /** There are filters to be saved as a new list. */
  canSave: boolean;
  /** The filters in words. */
  summary: string;
  /** Who sees a shared list, and what happens to the rows of a deleted one; untranslated. */
  texts: { share: string; remove: string };
  mayShare: boolean;
  /** Saves the filters as a new list, or changes `of`; returns the id. */
  save: (body: { name: string; isShared?: boolean | undefined }, of: V | null) => Promise<string>;
  remove: {
    mutate: (id: string, options: { onSuccess: () => void }) => void;
    isPending: boolean;
    error: Error | null;
  };
  onSaved: (id: string) => void;
  onDeleted: () => void;
  /** The buttons are part of a line of text. */
  isCompact?: boolean;
}

type DialogProps<V extends SavedView> = Omit<SavedListOptions<V>, 'from'> & { of: V | null; onClose: () => void };

function DeleteDialog<V extends SavedView>(props: DialogProps<V> & { of: V }) {
  const { of, texts, remove, onDeleted, onClose } = props;
  const isShared = of.isShared && `${t('It will be deleted for the whole team.')} `;
  return (
    <ConfirmDialog
      title={t('Delete the list “{name}”?', { name: of.name })}
      keepText={t('Cancel')}
      confirmText={t('Delete list')}
      busyText={t('Deleting...')}
      command={remove}
      errorText="Couldn't delete the list: {error}"
      onConfirm={() => remove.mutate(of._id, { onSuccess: onDeleted })}
      onClose={onClose}
    >
      {isShared}
      {t(texts.remove)}
    </ConfirmDialog>
  );
}

/** A dialog that saves a list under a name, or renames, shares or deletes a saved one. */
function SaveDialog<V extends SavedView>(props: DialogProps<V>) {
  const { of, summary, texts, mayShare, save, onSaved, onClose } = props;
  const [isDeleting, setDeleting] = useState(false);
  const form = useForm({
    initial: { name: of?.name ?? '', isShared: of?.isShared ?? false },
    schema: viewBodySchema,
    toBody: (values) => values,
    send: async (body) => onSaved(await save(body, of)),
    onSent: onClose,
  });
  if (isDeleting && of !== null) return <DeleteDialog {...props} of={of} onClose={() => setDeleting(false)} />;
  return (
    <FormDialog
      title={t(of === null ? 'Save list' : 'Edit list')}
      size="narrow"
      form={form}
      sendText={t('Save')}
      busyText={t('Saving...')}
      moreActions={
        of !== null && (
          <Button variant="subtle" onClick={() => setDeleting(true)}>
            {t('Delete list')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <Text c="dimmed">{summary}</Text>
      <TextField label={t('Name')} required maxLength={unitsFor(viewNameMax)} data-autofocus {...form.bind('name')} />
      {mayShare && (
        <CheckField label={t('Share with the team')} description={t(texts.share)} {...form.bindCheckbox('isShared')} />
      )}
    </FormDialog>
  );
}

/**
 * The buttons that save the filters of a list, or change the saved list they come from, and their dialog. The dialog is
 * apart, because the buttons may be in a form.
 */
export function useSavedList<V extends SavedView>({ from, ...options }: SavedListOptions<V>) {
  const { isChanged, canSave, isCompact = false, onDeleted } = options;
  const [asked, setAsked] = useState<'save' | 'edit' | null>(null);
  const look = isCompact ? ({ variant: 'subtle', size: 'compact-sm' } as const) : ({ variant: 'default' } as const);
  return {
    buttons: (
      <>
        {from?.canChange === true && (
          <Button {...look} onClick={() => setAsked('edit')}>
            {t(isChanged ? 'Save changes' : 'Edit list')}
          </Button>
        )}
        {canSave && isChanged && (
          <Button
            {...look}
            leftSection={<IconBookmark size={16} stroke={1.75} aria-hidden="true" />}
            onClick={() => setAsked('save')}
          >
            {t(from === undefined ? 'Save list' : 'Save as new')}
          </Button>
        )}
      </>
    ),
    dialog: asked !== null && (
      <SaveDialog
        {...options}
        of={asked === 'edit' ? (from ?? null) : null}
        onDeleted={() => {
          setAsked(null);
          onDeleted();
        }}
        onClose={() => setAsked(null)}
      />
    ),
  };
}
