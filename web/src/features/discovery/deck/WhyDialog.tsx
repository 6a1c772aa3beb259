import { msg, t } from '@lingui/core/macro';
import type { CardView } from '#contract/discovery.ts';
import { Button, Stack, Title } from '@mantine/core';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { Reasons } from './CardText.tsx';

const counts = [
  msg`Your preferences and theirs: you are what they're looking for, and they are what you're looking for.`,
  msg`What you both say about yourselves: what you are here for, children, habits, languages, interests, age, and roughly how far apart you live.`,
  msg`Your answers and theirs, once you have answered five questions or more in common.`,
  msg`How likely you two are to like each other, learned from past decisions.`,
  msg`Whether they like you, from the next day on, so that you may find each other sooner.`,
  msg`Whether they usually answer, and have few unread likes.`,
  msg`A few places on each page are reserved for new members.`,
  msg`A little randomness that changes every day.`,
  msg`Premium improves a position by a quarter at most, and the card says so.`,
];

interface WhyDialogProps {
  card: CardView;
  /** Opens the preferences, where the order can be chosen. */
  onOrder: () => void;
  onClose: () => void;
}

/** Explains why a person is shown. */
export function WhyDialog({ card, onOrder, onClose }: WhyDialogProps) {
  const name = memberName(card.user);
  return (
    <Dialog
      title={t`Why am I seeing ${name}?`}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onOrder}>
            {t`Change the order`}
          </Button>
          <Button onClick={onClose}>{t`Close`}</Button>
        </>
      }
    >
      <Stack gap="0.9rem">
        <Reasons card={card} name={name} />
        <Title order={3}>{t`What decides who you see`}</Title>
        <ul>
          {counts.map((text) => (
            <li key={text.id}>{t(text)}</li>
          ))}
        </ul>
        <p>
          {t`You never learn who passed on you, how popular people are, or exactly where they live, and no one learns that about you.`}
        </p>
        <p>
          {t`If you prefer no ranking, choose “Newest first”. You then see everyone who matches your preferences, starting with the newest members.`}
        </p>
      </Stack>
    </Dialog>
  );
}
