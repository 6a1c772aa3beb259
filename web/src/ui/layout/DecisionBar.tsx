import { Box } from '@mantine/core';
import { IconHeart, IconX } from '@tabler/icons-react';
import type { ComponentProps, MouseEvent, ReactNode } from 'react';
import classes from './DecisionBar.module.css';

interface DecisionButtonProps extends Omit<ComponentProps<'button'>, 'className' | 'type'> {
  /** The action besides the decision is smaller. */
  way: 'pass' | 'like' | 'more';
  Icon: typeof IconHeart;
}

/** A round button of the bar. */
export function DecisionButton({ way, Icon, ...button }: DecisionButtonProps) {
  return (
    <button {...button} type="button" className={classes.action} data-way={way}>
      <Icon
        className={way === 'more' ? 'mirrored' : undefined}
        size={way === 'more' ? 24 : 32}
        stroke={1.9}
        aria-hidden="true"
      />
    </button>
  );
}

interface DecisionBarProps {
  label: string;
  passText: string;
  likeText: string;
  onPass: (event: MouseEvent) => void;
  onLike: (event: MouseEvent) => void;
  /** A smaller button on the left or on the right; the other side has the same room. */
  before?: ReactNode;
  after?: ReactNode;
}

/** Pass and like. Pass is on the left and like on the right, the directions in which a card is thrown. */
export function DecisionBar({ label, passText, likeText, onPass, onLike, before, after }: DecisionBarProps) {
  const room = <Box component="span" w="min(3rem, 14vw)" />;
  return (
    <div role="group" className={classes.bar} aria-label={label}>
      {before ?? room}
      <DecisionButton way="pass" Icon={IconX} aria-label={passText} onClick={onPass} />
      <DecisionButton way="like" Icon={IconHeart} aria-label={likeText} onClick={onLike} />
      {after ?? room}
    </div>
  );
}
