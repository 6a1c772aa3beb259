import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ReportPriority } from '#contract/moderation/report.ts';
import { RichText } from '../../ui/data/RichText.tsx';
import { t } from '../../ui/text/text.ts';
import classes from './support.module.css';
import { answerTimeText, shortReportId } from './words.ts';

/** What a receipt shows; kept in the history entry so that it survives a reload. */
export interface ReceiptFacts {
  id: string;
  priority: ReportPriority;
  /** Whether it is about a person. */
  hasPerson: boolean;
  isHidden: boolean;
}

interface ReceiptProps {
  facts: ReceiptFacts;
  /** Links to other pages. */
  children: ReactNode;
}

/** Confirms that a report was received: its number, and what happens next. */
export function Receipt({ facts: { id, priority, hasPerson, isHidden }, children }: ReceiptProps) {
  return (
    <div className={classes.receipt}>
      <span className={classes.receiptMark} aria-hidden="true">
        <IconCheck size={28} stroke={2.25} />
      </span>
      <p className={classes.receiptNumber}>
        <RichText
          text="Your report number is {id}."
          parts={{ id: <strong className={classes.receiptId}>{t('#{id}', { id: shortReportId(id) })}</strong> }}
        />
      </p>
      <ul className={classes.receiptNext}>
        <li>{t('A person on our team will read it and answer {time}.', { time: answerTimeText(priority) })}</li>
        <li>{t('You will find the answer in Support, and we will email you when it is there.')}</li>
        {hasPerson && (
          <li>
            {isHidden
              ? t('You and this person no longer see each other. They are not told.')
              : t('This person is not told that you reported them. The two of you still see each other.')}
          </li>
        )}
      </ul>
      <div className={classes.receiptActions}>{children}</div>
    </div>
  );
}
