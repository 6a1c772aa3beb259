import { t } from '@lingui/core/macro';
import { Button, Group, Text } from '@mantine/core';
import { type MouseEvent, type ReactNode, type RefObject, useEffect, useMemo, useState } from 'react';
import type { MessageView } from '#contract/messages/messages.ts';
import { keep, readKept } from '../../../api/session/kept.ts';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { preload } from '../../../ui/loading/preload.ts';

/** Whether a text may hurt its reader. It is only checked on this device. */
export type HarshCheck = (text: string) => boolean;

let loaded: HarshCheck | null = null;

/** The check, once its code has been fetched; null until then. */
export function useHarshCheck(): HarshCheck | null {
  const [check, setCheck] = useState(() => loaded);
  useEffect(() => {
    if (check !== null) return;
    preload(async () => {
      loaded = (await import('#contract/harsh.ts')).isHarsh;
      setCheck(() => loaded);
    });
  }, [check]);
  return check;
}

/** Asks before something harsh is sent. The answer is up to the member, and no one learns that they were asked. */
export function useKindness(isHarsh: HarshCheck | null, name: string, field: RefObject<HTMLElement | null>) {
  const [send, setSend] = useState<(() => void) | null>(null);
  const close = () => {
    setSend(null);
    field.current?.focus();
  };
  const dialog: ReactNode = send !== null && (
    <Dialog
      title={t`Are you sure?`}
      size="narrow"
      onClose={close}
      actions={
        <>
          <Button variant="default" onClick={close}>
            {t`Edit message`}
          </Button>
          <Button
            onClick={() => {
              close();
              send();
            }}
          >
            {t`Send anyway`}
          </Button>
        </>
      }
    >
      <Text mb="1rem">{t`Your message could hurt ${name}. Would you like to say it differently?`}</Text>
    </Dialog>
  );
  return {
    /** Sends at once unless the text is harsh. */
    ask: (text: string, sendNow: () => void) => (isHarsh?.(text) === true ? setSend(() => sendNow) : sendNow()),
    dialog,
  };
}

/** Older messages are no longer asked about. */
const askedDays = 7;
const dayMs = 86_400_000;

interface BotherQuestionProps {
  message: MessageView;
  /** The other person's name. */
  name: string;
  now: number;
  isHarsh: HarshCheck | null;
  /** The match has ended. */
  isFixed: boolean;
  onReport: (message: MessageView) => void;
  onUnmatch: () => void;
}

/** Offers help below a harsh message that was received, until the member has chosen something. */
export function BotherQuestion({ message, name, now, isHarsh, isFixed, onReport, onUnmatch }: BotherQuestionProps) {
  const { text, clientId, sentAt } = message;
  const isRecent = now - Date.parse(sentAt) < askedDays * dayMs;
  const isAsked = useMemo(() => isRecent && text !== null && isHarsh?.(text) === true, [isRecent, text, isHarsh]);
  return isAsked && <Question key={clientId} {...{ message, name, isFixed, onReport, onUnmatch }} />;
}

function Question({ message, name, isFixed, onReport, onUnmatch }: Omit<BotherQuestionProps, 'now' | 'isHarsh'>) {
  const choice = `bothered:${message.clientId}`;
  const [isOpen, setOpen] = useState(() => readKept(choice) === null);
  if (!isOpen) return null;

  const answer = (act: () => void) => (event: MouseEvent) => {
    // The pressed button disappears, so the message takes the focus.
    event.currentTarget.closest('li')?.querySelector<HTMLElement>('[data-opener]')?.focus();
    keep(choice, 'asked');
    setOpen(false);
    act();
  };
  return (
    <Group role="group" aria-label={t`Does this bother you?`} gap="0.35rem" mt="0.35rem" maw="min(36rem, 88%)">
      <Text fz="note" w="100%">
        {t`Does this bother you? ${name} won't learn what you choose.`}
      </Text>
      <Button size="sm" variant="default" onClick={answer(() => onReport(message))}>
        {t`Report`}
      </Button>
      {!isFixed && (
        <Button size="sm" variant="default" onClick={answer(onUnmatch)}>
          {t`Unmatch`}
        </Button>
      )}
      <Button size="sm" variant="subtle" color="gray" onClick={answer(() => undefined)}>
        {t`It's fine`}
      </Button>
    </Group>
  );
}
