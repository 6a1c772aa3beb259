import classes from './ChipList.module.css';

/** Short words side by side; null without any. */
export function ChipList({ label, words }: { label: string; words: readonly string[] }) {
  if (words.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={label}>
      {words.map((word) => (
        <li key={word} className={classes.chip}>
          {word}
        </li>
      ))}
    </ul>
  );
}
