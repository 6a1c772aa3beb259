import { Button } from '@mantine/core';
import { Dialog } from '../../../ui/feedback/Dialog.tsx';
import { memberName } from '../../../ui/text/person.ts';
import { useText } from '../../../ui/text/text.ts';
import type { DrawnCard } from './card-words.ts';
import { Reasons } from './Reasons.tsx';
import classes from './WhyDialog.module.css';

const counts = [
  'Your wishes and theirs: you are what they look for, and they are what you look for.',
  'What you both state: what you are here for, children, habits, languages, interests, age, and roughly how far apart you live.',
  'Your answers and theirs, once you have answered five questions or more in common.',
  'How likely it is that you two like each other, as far as decisions so far let it be learned.',
  'Whether they like you, from the day after: then the two of you may meet sooner.',
  'Whether they have room, and usually answer: people with few unread likes come before those with many.',
  'A few places on each page are for newcomers.',
  'A little chance, drawn anew each day.',
  'Premium lifts a place by a quarter at the very most, and it says so on the card.',
];

interface WhyDialogProps {
  card: DrawnCard;
  /** Leads to the choice of the order. */
  onOrder: () => void;
  onClose: () => void;
}

/** What decides who is shown, in plain words. */
export function WhyDialog({ card, onOrder, onClose }: WhyDialogProps) {
  const t = useText();
  const name = memberName(card.user, t);
  return (
    <Dialog
      title={t('Why am I seeing {name}?', { name })}
      onClose={onClose}
      actions={
        <>
          <Button variant="default" onClick={onClose}>
            {t('Close')}
          </Button>
          <Button variant="default" onClick={onOrder}>
            {t('Change the order')}
          </Button>
        </>
      }
    >
      <div className={classes.why}>
        <Reasons reasons={card.reasons} name={name} />
        <h3>{t('What decides whom you see')}</h3>
        <ul>
          {counts.map((text) => (
            <li key={text}>{t(text)}</li>
          ))}
        </ul>
        <p>
          {t(
            'You are never told who passed on you, how popular somebody is, or where exactly they live; nobody is told that of you.',
          )}
        </p>
        <p>
          {t(
            'If you would rather not have us weigh anything, choose the order “Newest first”: everybody who fits, by when they joined.',
          )}
        </p>
      </div>
    </Dialog>
  );
}
