import { plural, t } from '@lingui/core/macro';
import { Button, Text } from '@mantine/core';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { type ReactNode, useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react';
import { readSession } from '../../../api/session/stored-session.ts';
import { KeyHint, useFlag, useSingleKeys } from '../../../ui/keyboard/shortcuts.tsx';
import classes from './report.module.css';
import { deviceStorage } from '../../../browser-storage.ts';

const storageKey = 'evidence-seen';
const breakAfter = 40;
const listeners = new Set<() => void>();

const today = () => `${new Date().toDateString()} ${readSession().user?._id ?? ''}`;

/**
 * The number of pictures and messages that the viewer has uncovered today. It is stored only on this device, because it
 * is for the viewer and not for statistics.
 */
function seenToday(): number {
  const [count = '0', ...day] = (deviceStorage.read(storageKey) ?? '').split(' ');
  return day.join(' ') === today() ? Number(count) : 0;
}

function noteSeen(count: number): void {
  deviceStorage.write(storageKey, `${seenToday() + count} ${today()}`);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Shows how many items the viewer has looked at today, and sometimes suggests a break. */
export function SeenToday() {
  const count = useSyncExternalStore(subscribe, seenToday);
  if (count === 0) return null;
  return (
    <Text role="status" c="dimmed" fz="small" mt="1rem">
      {t`${plural(count, { one: '# picture or message', other: '# pictures and messages' })} shown today.`}
      {count >= breakAfter &&
        ` ${t`That's a lot of reviewing. Take a short break; you keep this case for ten minutes.`}`}
    </Text>
  );
}

const covered = new Set<object>();
/** For each press of `v`, whether it uncovers or covers: the first veil decides, and the others follow it. */
const uncovers = new WeakMap<KeyboardEvent, boolean>();

interface VeilProps {
  /** The number of pictures or messages that it covers. */
  count: number;
  /** The button's text, translated. */
  text: string;
  children: ReactNode;
}

/** Blurs pictures and messages until the viewer uncovers them, with a press or with `v` for all on the page. */
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

  // Applies to all veils on the page: if any is covered, all are uncovered; otherwise all are covered. Each one passes
  // the key on to the next.
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
        {isShown ? t`Hide` : text}
        <KeyHint of="v" />
      </Button>
    </div>
  );
}
