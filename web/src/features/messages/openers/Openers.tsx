import { t } from '@lingui/core/macro';
import { Button } from '@mantine/core';
import classes from './openers.module.css';
import { openersFor, type Shown } from './sentences.ts';

interface OpenersProps {
  own: Shown;
  /** The other person. */
  user: Shown;
  /** Puts the suggestion into the field; nothing is sent. */
  onChoose: (text: string) => void;
}

/** Three suggestions for a first message, from what both people show on their profiles, side by side. */
export function Openers({ own, user, onChoose }: OpenersProps) {
  return (
    <section className={classes.openers} aria-label={t`Ideas for a first message`}>
      {openersFor(own, user).map((text) => (
        <Button
          key={text}
          className={classes.opener ?? ''}
          variant="default"

          onClick={() => onChoose(text)}
        >
          {text}
        </Button>
      ))}
    </section>
  );
}
