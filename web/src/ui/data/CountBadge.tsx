import classes from './CountBadge.module.css';

const most = 99;

/** How much is new, for the eye a number and for the ear words; nothing where nothing is. */
export function CountBadge({ count, text }: { count: number; text: string | undefined }) {
  if (count === 0) return null;
  return (
    <span className={classes.badge}>
      <span aria-hidden="true">{count > most ? `${most}+` : count}</span>
      <span className="visually-hidden">{text}</span>
    </span>
  );
}
