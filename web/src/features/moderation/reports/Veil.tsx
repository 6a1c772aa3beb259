import { Button, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { readSession } from '../../../api/session/stored-session.ts';
import { useFlag, useSingleKeys } from '../../../ui/keyboard/single-keys.ts';
import { KeyHint } from '../../../ui/keyboard/actions.tsx';
import { t } from '../../../ui/text/text.ts';
import classes from './evidence.module.css';

const storageKey = 'evidence-seen';
const breakAfter = 40;
const listeners = new Set<() => void>();

const today = () => `${new Date().toDateString()} ${readSession().user?._id ?? ''}`;

/** How many pictures and messages the viewer has uncovered today. Only this device knows: it is for them, not for a list. */
function seenToday(): number {
  const [count = '0', ...day] = (localStorage.getItem(storageKey) ?? '').split(' ');
  return day.join(' ') === today() ? Number(count) : 0;
}

function noteSeen(count: number): void {
  localStorage.setItem(storageKey, `${seenToday() + count} ${today()}`);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** How much the viewer has looked at today, and from time to time that a break would do good. */
export function SeenToday() {
  const count = useSyncExternalStore(subscribe, seenToday);
  if (count === 0) return null;
  return (
    <Text role="status" c="dimmed" fz="small" mt="1rem">
      {t('{count, plural, one {# picture or message} other {# pictures and messages}} shown today.', { count })}
      {count >= breakAfter && ` ${t('That is a lot. A short break does good; your claim runs on for ten minutes.')}`}
    </Text>
  );
}

const covered = new Set<object>();
/** For each press of `v`, whether it uncovers: some may be uncovered before the others hear of it. */
const uncovers = new WeakMap<KeyboardEvent, boolean>();

interface VeilProps {
  /** How many pictures or messages it covers. */
  count: number;
  /** What the button shows, translated. */
  text: string;
  children: ReactNode;
}

/** Blurs pictures and messages until they are asked for, by a press or by `v` for all on the page. */
export function Veil({ count, text, children }: VeilProps) {
  const isVeiled = useFlag('veiled-evidence');
  const [isAsked, setAsked] = useState(false);
  const [wasSeen, setSeen] = useState(false);
  const [self] = useState(() => ({}));
  const isShown = isAsked || !isVeiled;

  useLayoutEffect(() => {
    if (isShown) return;
    covered.add(self);
    return () => void covered.delete(self);
  }, [isShown, self]);

  useEffect(() => {
    if (!isShown || wasSeen) return;
    setSeen(true);
    noteSeen(count);
  }, [isShown, wasSeen, count]);

  // All on the page: uncovered if one is covered, else covered. Each leaves the key to the next.
  useSingleKeys({
    v: (event) => {
      const isUncovering = uncovers.get(event) ?? covered.size > 0;
      uncovers.set(event, isUncovering);
      setAsked(isUncovering);
      return false;
    },
  });

  if (!isVeiled) return children;
  return (
    <div className={classes.veil} data-shown={isShown || undefined}>
      <div className={classes.veiled} inert={!isShown}>
        {children}
      </div>
      <Button
        className={classes.unveil ?? ''}
        variant="default"
        size="xs"
        aria-expanded={isShown}
        aria-keyshortcuts="v"
        leftSection={
          isShown ? (
            <IconEyeOff size={16} stroke={1.75} aria-hidden="true" />
          ) : (
            <IconEye size={16} stroke={1.75} aria-hidden="true" />
          )
        }
        onClick={() => setAsked(!isShown)}
      >
        {isShown ? t('Hide') : text}
        <KeyHint of="v" />
      </Button>
    </div>
  );
}
