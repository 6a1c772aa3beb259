import { t } from '@lingui/core/macro';
import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { QuoteView } from '#contract/messages/messages.ts';
import { useHiddenWordFinder } from '../../../api/hidden-words.ts';
import classes from '../talk.module.css';

/** A quoted message in one line. */
function lineOf({ text, kind }: Pick<QuoteView, 'text' | 'kind'>): string {
  if (text === null) return t`Message deleted`;
  if (text !== '' || kind === undefined) return text;
  return kind === 'picture' ? t`📷 Photo` : t`🎤 Voice message`;
}

interface Quoted {
  quote: Pick<QuoteView, 'seq' | 'from' | 'text' | 'kind'>;
  ownId: string;
  /** The other person's name. */
  name: string;
}

function Words({ quote, ownId, name }: Quoted) {
  const isHidden = useHiddenWordFinder();
  const isCovered = quote.from !== ownId && isHidden(quote.text ?? '');
  return (
    <>
      <Text component="bdi" display="block" fz="small" fw={600}>
        {quote.from === ownId ? t`You` : name}
      </Text>
      <Text component="span" display="block" dir="auto" fz="note" lineClamp={2} className={classes.quoted}>
        {isCovered ? t`Hidden by your words` : lineOf(quote)}
      </Text>
    </>
  );
}

/** The message that another one answers, above its text. Pressing it shows that message. */
export function QuoteButton({ onJump, ...quoted }: Quoted & { onJump: (seq: number) => void }) {
  return (
    <UnstyledButton
      className={classes.quote ?? ''}
      onClick={(event) => {
        event.stopPropagation();
        onJump(quoted.quote.seq);
      }}
    >
      <span className="visually-hidden">{t`In reply to`} </span>
      <Words {...quoted} />
    </UnstyledButton>
  );
}

interface ReplyingToProps extends Omit<Quoted, 'quote'> {
  message: Quoted['quote'];
  onCancel: () => void;
}

/** The message that the next one will answer, above the field. */
export function ReplyingTo({ message, onCancel, ...shown }: ReplyingToProps) {
  return (
    <Group wrap="nowrap" gap="0.5rem" mb="0.4rem" role="group" aria-label={t`Replying to`}>
      <div className={classes.quote} data-fills>
        <Words quote={message} {...shown} />
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={44}
        aria-label={t`Don't reply to this message`}
        onClick={onCancel}
      >
        <IconX size={20} stroke={1.75} />
      </ActionIcon>
    </Group>
  );
}
