import { IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ReportPriority } from '#contract/moderation/report.ts';
import { RichText } from '../../ui/data/RichText.tsx';
import { useText } from '../../ui/text/text.ts';
import classes from './support.module.css';
import { answerTimeText, shortReportId } from './words.ts';

/** What a receipt tells; kept in the history's entry, so that it is still there after a reload. */
export interface ReceiptFacts {
  id: string;
  priority: ReportPriority;
  /** Whether it is about a person. */
  hasPerson: boolean;
  isHidden: boolean;
}

interface ReceiptProps {
  facts: ReceiptFacts;
  /** Ways on. */
  children: ReactNode;
}

/** That a report has arrived, its number, and what happens next. */
export function Receipt({ facts: { id, priority, hasPerson, isHidden }, children }: ReceiptProps) {
  const t = useText();
  return (
    <div className={classes.receipt}>
      <span className={classes.receiptMark} aria-hidden="true">
        <IconCheck size={28} stroke={2.25} />
      </span>
      <p className={classes.receiptNumber}>
        <RichText
          text="Your report has the number {id}."
          parts={{ id: <strong className={classes.receiptId}>{t('#{id}', { id: shortReportId(id) })}</strong> }}
        />
      </p>
      <ul className={classes.receiptNext}>
        <li>{t('A person from our team reads it and answers {time}.', { time: answerTimeText(priority, t) })}</li>
        <li>{t('You find the answer under Support, and we send you a mail when it is there.')}</li>
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
