import { IconChevronDown } from '@tabler/icons-react';
import { type MailTime, mailTimes } from '#contract/notifications.ts';
import { useText } from '../../ui/text/text.ts';
import classes from './MailChoice.module.css';

const timeWords: Record<MailTime, string> = { now: 'At once', daily: 'Daily', weekly: 'Weekly', never: 'Never' };

interface MailChoiceProps {
  labelledBy: string;
  value: MailTime;
  onChange: (value: MailTime) => void;
}

/** When something is mailed. */
export function MailChoice({ labelledBy, value, onChange }: MailChoiceProps) {
  const t = useText();
  return (
    <span className={classes.choice}>
      <select
        aria-labelledby={labelledBy}
        value={value}
        onChange={(event) => {
          const chosen = mailTimes.find((time) => time === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {mailTimes.map((time) => (
          <option key={time} value={time}>
            {t(timeWords[time])}
          </option>
        ))}
      </select>
      <IconChevronDown size={18} stroke={1.75} aria-hidden="true" />
    </span>
  );
}
