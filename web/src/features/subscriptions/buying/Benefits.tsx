import { IconCheck, IconHeart } from '@tabler/icons-react';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { useText } from '../../../ui/text/text.ts';
import classes from './Benefits.module.css';

const added = [
  'Likes without a daily limit; without premium there are 30 a day.',
  'See who liked you.',
  'Take back any decision of the last day, not only the last one.',
  'Incognito: only people you liked see you.',
  'Look around in another city, as if you lived there.',
  'Further filters: height, children, smoking, drinking, exercise, languages, and what somebody is looking for.',
];

const promised = [
  'Writing with a match is free for both, always, with premium or without.',
  'Nobody buys their way to the front: premium lifts a place by a quarter at the very most.',
  'Nobody buys a look at what others keep to themselves: hidden times, exact places and private answers stay hidden.',
];

/** What premium adds, and what it never does. */
export function Benefits() {
  const t = useText();
  return (
    <div className={classes.parts}>
      <Panel title={t('What premium adds')}>
        <ul className={classes.list}>
          {added.map((text) => (
            <li key={text}>
              <IconCheck size={18} stroke={2} aria-hidden="true" />
              {t(text)}
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={t('What stays the same for everybody')}>
        <ul className={classes.list}>
          {promised.map((text) => (
            <li key={text}>
              <IconHeart size={18} stroke={1.75} aria-hidden="true" />
              {t(text)}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
