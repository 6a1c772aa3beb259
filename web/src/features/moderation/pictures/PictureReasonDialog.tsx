import { Button } from '@mantine/core';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { reasonMaxLength } from '#contract/constants.ts';
import type { Picture as PictureData } from '#contract/media/picture.ts';
import { Picture } from '../../../ui/data/Picture.tsx';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { TextArea } from '../../../ui/form/TextArea.tsx';
import { t } from '../../../ui/text/text.ts';
import { readyReasons } from './picture-words.ts';
import classes from './pictures.module.css';

interface PictureReasonDialogProps {
  picture: PictureData;
  /** Whose picture it is. */
  name: string;
  onReject: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a picture is rejected; common reasons fill the field, which the member will read. */
export function PictureReasonDialog({ picture, name, onReject, onClose }: PictureReasonDialogProps) {
  const formId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);

  function write(text: string) {
    setReason(text);
    setMissing(false);
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (reason.trim() !== '') return onReject(reason.trim());
    setMissing(true);
    field.current?.focus();
  }

  /** Enter sends from the ready reasons; in the field it needs Ctrl or Cmd. */
  function sendByKeys(event: KeyboardEvent<HTMLInputElement | HTMLTextAreaElement>) {
    const isInField = event.currentTarget === field.current;
    // The key that opened the dialog may still be held down.
    if (isInField && event.repeat && reason === '') event.preventDefault();
    if (event.key !== 'Enter' || event.repeat || (isInField && !event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  }

  return (
    <Dialog
      title={t('Reject the picture of {name}?', { name })}
      size="narrow"
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" form={formId}>
            {t('Reject')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className={classes.form} onSubmit={submit}>
        <div className={classes.head}>
          <div className={classes.pictureReasonDialogPicture}>
            <Picture picture={picture} alt="" isEager />
          </div>
          <p className={classes.lead}>
            {t('It is removed from the profile and cannot be uploaded again. This cannot be undone.')}
          </p>
        </div>
        <fieldset className={classes.reasons}>
          <legend className={classes.legend}>{t('Common reasons')}</legend>
          {readyReasons.map((ready) => (
            <label key={ready} className={classes.chip}>
              <input
                type="radio"
                name="ready"
                className="visually-hidden"
                checked={reason === t(ready)}
                onChange={() => write(t(ready))}
                onKeyDown={sendByKeys}
              />
              {t(ready)}
            </label>
          ))}
        </fieldset>
        <TextArea
          ref={field}
          label={t('Reason')}
          description={t('The member reads this.')}
          error={isMissing ? t('Please give a reason') : undefined}
          value={reason}
          rows={3}
          required
          data-autofocus
          maxLength={reasonMaxLength}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={sendByKeys}
        />
      </form>
    </Dialog>
  );
}
