import { Button } from '@mantine/core';
import { useState } from 'react';
import type { OwnPicture } from '#contract/picture.ts';
import type { OwnUser } from '#contract/user.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { useText } from '../../../ui/text.ts';
import { LazyOwnPictures, picturesRules } from '../../media/PicturesSection.tsx';
import { hasPicture } from './completion.ts';
import classes from './ProfileForm.module.css';

interface PicturesStepProps {
  user: OwnUser;
  onPictures: (pictures: OwnPicture[]) => void;
  lookAgain: () => void;
  onNext: () => void;
}

/** The step at which somebody shows themselves; each picture is kept as soon as it is added. */
export function PicturesStep({ user, onPictures, lookAgain, onNext }: PicturesStepProps) {
  const t = useText();
  const [isRefused, setRefused] = useState(false);
  const isDone = hasPicture(user);
  return (
    <div className={classes.form}>
      <p className={classes.hint}>{t(picturesRules)}</p>
      <LazyOwnPictures pictures={user.pictures} onPictures={onPictures} lookAgain={lookAgain} />
      {isRefused && !isDone && <Notice kind="error">{t('Please add one picture at least, or finish later.')}</Notice>}
      <div className={classes.buttons}>
        <Button onClick={() => (isDone ? onNext() : setRefused(true))}>{t('Go on')}</Button>
      </div>
    </div>
  );
}
