import { plural, t } from '@lingui/core/macro';
import { Stack } from '@mantine/core';
import { IconHeart } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { likeNoteMaxLength } from '#contract/constants.ts';
import { type LikedPart, likeUser } from '#contract/connections.ts';
import type { Picture } from '#contract/media.ts';
import type { PublicUser } from '#contract/profiles/user.ts';
import { ChoiceGroup } from '../../ui/form/Form.tsx';
import { FormDialog } from '../../ui/feedback/FormDialog.tsx';
import { useBackCloses } from '../../ui/feedback/use-back-closes.ts';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { memberName } from '../../ui/text/person.ts';
import { dropDraft, readDraft, useKeptDraft } from '../../ui/form/drafts.ts';
import { TextArea } from '../../ui/form/Field.tsx';
import { lengthOf } from '../../ui/text/text.ts';
import { useFields } from '../../ui/form/use-form.ts';
import { promptText } from '../../ui/text/interest-words.ts';
import type { LikeWords } from './decisions.ts';
import classes from './likes.module.css';

interface LikeNoteDialogProps {
  user: PublicUser;
  /** The person's first picture, which the like can be about. */
  picture: Picture | undefined;
  /** What the like is about, if that has already been chosen. */
  on?: LikedPart | undefined;
  onSend: (words: LikeWords) => void;
  onClose: () => void;
}

const wholeProfile = '';
const thisPicture = 'picture';

/** Shows the picture or text that is liked. */
function Liked({ part, user }: { part: LikedPart; user: PublicUser }) {
  if (part.kind === 'picture') {
    const picture = user.pictures.find(({ publicId }) => publicId === part.publicId);
    return picture ? (
      <img className={classes.likedPicture} src={picture.thumbnailUrl} alt="" width={96} height={120} />
    ) : null;
  }
  const said = user.prompts.find(({ prompt }) => prompt === part.prompt);
  return (
    <Stack component="blockquote" gap="0.2rem" py="0.9rem" px="1.1rem" bdrs="lg" bg="var(--hw-sunken)">
      <Hint component="span">{promptText(part.prompt)}</Hint>
      <span dir="auto">{said?.answer}</span>
    </Stack>
  );
}

/**
 * A like with a note about a part of the profile. On a phone, Back closes the dialog and is easily pressed by accident,
 * so an unsent note is kept for the next time unless it was canceled.
 */
export function LikeNoteDialog({ user, picture, on: chosen, onSend, onClose }: LikeNoteDialogProps) {
  const name = memberName(user);
  const draft = `like-note-${user._id}`;
  const [kept] = useState(() => readDraft(draft)?.['note'] ?? '');
  const fields = useFields({
    note: kept,
    on: picture === undefined ? wholeProfile : thisPicture,
  });
  const { note, on } = fields.values;
  useKeptDraft(draft, note === '' ? null : { note });
  const leaveEntry = useBackCloses(user._id, onClose);
  const choices = [
    ...(picture === undefined ? [] : [{ value: thisPicture, label: t`Their first picture` }]),
    ...user.prompts.map(({ prompt, answer }) => ({ value: prompt, label: `${promptText(prompt)} … ${answer}` })),
    { value: wholeProfile, label: t`${name}'s profile in general` },
  ];

  function liked(): LikedPart | null {
    if (chosen !== undefined) return chosen;
    if (on === thisPicture && picture !== undefined) return { kind: 'picture', publicId: picture.publicId };
    const said = user.prompts.find(({ prompt }) => prompt === on);
    return said === undefined ? null : { kind: 'prompt', prompt: said.prompt };
  }

  function close() {
    leaveEntry();
    onClose();
  }

  function cancel() {
    dropDraft(draft);
    close();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    const part = liked();
    const words = fields.check(likeUser.body, { note, ...(part === null ? {} : { on: part }) });
    if (words === null) return;
    dropDraft(draft);
    leaveEntry();
    onSend({ ...(words.note ? { note: words.note } : {}), ...(words.on ? { on: words.on } : {}) });
  }

  return (
    <FormDialog
      title={chosen === undefined ? t`Like ${name} with a note` : t`Like ${name}`}
      size="narrow"
      form={{ form: fields.form, submit, isPending: false, problem: null }}
      sendText={t`Send like`}
      sendIcon={<IconHeart size={18} stroke={1.75} aria-hidden="true" />}
      onCancel={cancel}
      onClose={close}
    >
      {chosen !== undefined && <Liked part={chosen} user={user} />}
      <TextArea
        {...fields.bind('note')}
        data-autofocus
        rows={2}
        label={chosen === undefined ? t`Your note` : t`Add a comment (optional)`}
        description={t`${plural({ left: Math.max(0, likeNoteMaxLength - lengthOf(note.trim())) }, { one: '# character', other: '# characters' })} left.`}
      />
      {chosen === undefined && choices.length > 1 && (
        <ChoiceGroup
          type="radio"
          name="on"
          legend={t`What your note is about`}
          choices={choices}
          chosen={[on]}
          onChange={([value = wholeProfile]) => fields.set('on', value)}
        />
      )}
    </FormDialog>
  );
}
