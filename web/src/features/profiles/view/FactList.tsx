import classes from './FactList.module.css';

/** Names with their words; what is null is left out. Null when nothing is left. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, words: string | null])[] }) {
  const said = facts.filter(([, words]) => words !== null);
  if (said.length === 0) return null;
  return (
    <dl className={classes.facts}>
      {said.map(([name, words]) => (
        <div key={name} className={classes.fact}>
          <dt className={classes.name}>{name}</dt>
          <dd className={classes.words}>
            <bdi>{words}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
