import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { OwnReport, StaffReport } from '#contract/moderation/report.ts';
import { replyToReport } from '#contract/moderation/reports.ts';
import { dropDraft, keepDraft, readDraft } from '../../api/session/drafts.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { BusyButton } from '../../ui/form/BusyButton.tsx';
import { TextArea } from '../../ui/form/TextArea.tsx';
import { useLocale, useText } from '../../ui/text/text.ts';
import classes from './support.module.css';
import { charactersOver, limitText, overText } from './words.ts';

/** A text that is being written: it survives a reload and a failed send, and goes with `setText('')` or the session. */
function useDraftText(name: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name)?.['text'] ?? '');

  function change(next: string) {
    setText(next);
    if (next === '') dropDraft(name);
    else keepDraft(name, { text: next });
  }

  return [text, change];
}

interface AnswerBoxProps {
  reportId: string;
  onSent: (report: OwnReport | StaffReport) => void;
}

/** Where the member writes to the support team; what is typed stays until it is sent. */
export function AnswerBox({ reportId, onSent }: AnswerBoxProps) {
  const t = useText();
  const locale = useLocale();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useDraftText(`answer:${reportId}`);
  const [isBlankRefused, setBlankRefused] = useState(false);
  const { isPending, isDone, error, run, reset } = useCommand();
  const over = charactersOver(text);
  const isBlank = text.trim() === '';
  const alert = isBlankRefused ? t('Please enter a reply message') : error === null ? null : t(error);

  async function send() {
    if (isPending || over > 0) return;
    if (isBlank) {
      setBlankRefused(true);
      return;
    }
    await run(async () => {
      const { data } = await call(replyToReport, { params: { id: reportId }, body: { message: text.trim() } });
      setText('');
      onSent(data.report);
    });
    field.current?.focus();
  }

  function sendByKeys(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void send();
  }

  return (
    <form
      className={classes.answerForm}
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        void send();
      }}
    >
      <TextArea
        ref={field}
        label={t('Your answer')}
        description={limitText(text, t, locale)}
        error={over > 0 ? overText(over, t, locale) : undefined}

        dir="auto"
        value={text}
        readOnly={isPending}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setBlankRefused(false);
          reset();
        }}
        onKeyDown={sendByKeys}
      />
      {alert !== null && (
        <p role="alert" className={classes.answerAlert}>
          {alert}
        </p>
      )}
      <div className={classes.answerFoot}>
        <p role="status" className={classes.answerSent}>
          {isDone && t('Sent. We will answer here and by mail.')}
        </p>
        <BusyButton type="submit" disabled={isBlank || over > 0} isBusy={isPending} busyText={t('Sending...')}>
          {t('Send')}
        </BusyButton>
      </div>
    </form>
  );
}
