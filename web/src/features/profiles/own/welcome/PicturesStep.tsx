import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { OwnUser } from '#contract/profiles/user.ts';
import { Notice } from '../../../../ui/feedback/Notice.tsx';
import { useText } from '../../../../ui/text/text.ts';
import { hasPicture } from '../completion.ts';
import classes from '../ProfileForm.module.css';

interface PicturesStepProps {
  user: OwnUser;
  /** The member's pictures, and what is to be known of them. */
  pictures: ReactNode;
  onNext: () => void;
}

/** The step at which somebody shows themselves; each picture is kept as soon as it is added. */
export function PicturesStep({ user, pictures, onNext }: PicturesStepProps) {
  const t = useText();
  const [isRefused, setRefused] = useState(false);
  const isDone = hasPicture(user);
  return (
    <div className={classes.form}>
      {pictures}
      {isRefused && !isDone && <Notice kind="error">{t('Please add one picture at least, or finish later.')}</Notice>}
      <div className={classes.buttons}>
        <Button onClick={() => (isDone ? onNext() : setRefused(true))}>{t('Go on')}</Button>
      </div>
    </div>
  );
}
