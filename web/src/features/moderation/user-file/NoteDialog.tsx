import { t } from '@lingui/core/macro';
import { addNote, changeNote, type FileEntry, noteEditMinutes, noteMaxLength } from '#contract/moderation/user-file.ts';
import { formOf } from '../../../api/endpoint-form.ts';
import { FormDialog } from '../../../ui/feedback/FormDialog.tsx';
import { TextArea } from '../../../ui/form/Field.tsx';
import { useForm } from '../../../ui/form/use-form.ts';
import { unitsFor } from '../../../ui/text/text.ts';

interface NoteDialogProps {
  userId: string;
  name: string;
  /** The note to change; null for a new one. */
  note: FileEntry | null;
  onClose: () => void;
}

/** Writes a note about a person, or corrects one that was just written. */
export function NoteDialog({ userId, name, note, onClose }: NoteDialogProps) {
  const [, noteId = null] = note?._id.split(' ') ?? [];
  const form = useForm({
    initial: { text: note?.facts.text ?? '' },
    ...(note === null && { draft: `note ${userId}` }),
    ...(noteId === null ? formOf(addNote, { params: { id: userId } }) : formOf(changeNote, { params: { id: noteId } })),
    onSent: onClose,
  });
  return (
    <FormDialog
      title={note === null ? t`Note about ${name}` : t`Edit note`}
      size="narrow"
      form={form}
      sendText={t`Save note`}
      hasKeyHint
      onClose={onClose}
    >
      <TextArea
        label={t`Note`}
        description={t`The team reads it. ${name} does not, but can ask for a copy. You can change it for ${{ minutes: noteEditMinutes }} minutes.`}
        required
        rows={5}
        maxLength={unitsFor(noteMaxLength)}
        data-autofocus
        {...form.bind('text')}
      />
    </FormDialog>
  );
}
