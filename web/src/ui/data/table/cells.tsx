import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import classes from './DataTable.module.css';

/** One line of text, cut off with an ellipsis if it is too long; the whole text is its tooltip. */
export function CutText({ text, isSoft = false }: { text: string; isSoft?: boolean }) {
  return (
    <span className={isSoft ? `${classes.cut} ${classes.soft}` : classes.cut} title={text} dir="auto">
      {text}
    </span>
  );
}

/** An id as lists show it; the whole id is its tooltip. */
export function ShortId({ id, short }: { id: string; short: string }) {
  return (
    <code className={classes.id} title={id}>
      {short}
    </code>
  );
}

/** A short id as a link to what it names; the whole id is its tooltip. */
export function IdLink({ isStrong = false, ...link }: Omit<LinkProps, 'className'> & { isStrong?: boolean }) {
  return <Link {...link} className={classes.idLink} data-strong={isStrong || undefined} />;
}

/** What a machine wrote, such as an error. */
export function CodeText({ children }: { children: string }) {
  return <code className={classes.code}>{children}</code>;
}

/** A placeholder for a missing value; a card leaves the fact out. */
export function Nothing() {
  return <span data-nothing>—</span>;
}

interface RowActionProps {
  /** What it does, and to which row. */
  label: string;
  /** What it does in one word: its tooltip in the table and its text on a card. */
  text: string;
  /** The tooltip, if it says more than the text. */
  title?: string;
  icon: ReactNode;
  tone?: 'positive' | 'accent';
  isDisabled?: boolean;
  onClick: (event: { detail: number }) => void;
}

/** A button of a row: an icon in the table, text on a card. Plain elements keep a long table fast to scroll. */
export function RowAction({ label, text, title = text, icon, tone, isDisabled, onClick }: RowActionProps) {
  return (
    <button
      type="button"
      className={classes.action}
      data-tone={tone}
      disabled={isDisabled}
      aria-label={label}
      title={title}
      onClick={onClick}
    >
      {icon}
      <span className={classes.actionText}>{text}</span>
    </button>
  );
}

/** The `RowAction`s of one row. */
export function RowActions({ children }: { children: ReactNode }) {
  return <span className={classes.actions}>{children}</span>;
}
