import { t } from '@lingui/core/macro';
import { Group } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router';
import { Track } from '../data/Track.tsx';
import { PageHeading } from '../layout/Page.tsx';
import classes from './steps.module.css';

/** The heading's id, by which it names the only field of a step. */
export const stepTitleId = 'step-title';

/** How many steps lead from the landing page to the first cards. */
const stepCount = 11;

interface StepPageProps {
  /** The question. */
  title: string;
  /** The place among all steps of joining, from 1; absent for a page that is not one of them. */
  number?: number;
  /** The address of the step before. */
  back?: string | null;
  lead?: ReactNode;
  /** A link at the end of the top line, such as one that postpones the rest. */
  aside?: ReactNode;
  children: ReactNode;
}

/** One question on a separate screen, without a card. Render it with the step as its `key`, so that the next question takes the focus. */
export function StepPage({ title, number, back, lead, aside, children }: StepPageProps) {
  return (
    <div className={classes.page}>
      <Group gap="0.75rem" wrap="nowrap" mih="2.75rem">
        {back && (
          <Link to={back} className={classes.back} aria-label={t`Back`}>
            <IconArrowLeft className="mirrored" size={24} stroke={1.75} aria-hidden="true" />
          </Link>
        )}
        {number !== undefined && (
          <Track
            role="progressbar"
            aria-label={t`Joining`}
            aria-valuemin={1}
            aria-valuemax={stepCount}
            aria-valuenow={number}
            style={{ flex: 1 }}
            share={number / stepCount}
          />
        )}
        {aside}
      </Group>
      <PageHeading id={stepTitleId} className={classes.title}>
        {title}
      </PageHeading>
      {lead && <div className={classes.lead}>{lead}</div>}
      {children}
    </div>
  );
}

/** A ref for the field that takes the focus when its step opens, so that a phone shows its keyboard; a refused one comes first. */
export function useFirstField() {
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    const first = field.current?.form?.querySelector<HTMLElement>('[aria-invalid]') ?? field.current;
    first?.focus({ preventScroll: true });
  }, []);
  return field;
}
