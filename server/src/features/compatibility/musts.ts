import { sql, type RawBuilder } from 'kysely';
import { type FilterName, filterNames } from '#contract/discovery.ts';

/** An alias of a row of `discovery_row`. */
type Row = RawBuilder<unknown>;

/** The filters by name, each in one direction: what `who` requires of `other`. `day` is today, `YYYY-MM-DD`. */
export function requirements(who: Row, other: Row, day: string): Record<FilterName, RawBuilder<boolean>> {
  const oneOf = (needs: string, said: string) =>
    sql<boolean>`(${who}.${sql.ref(needs)} is null or ${other}.${sql.ref(said)} = any (${who}.${sql.ref(needs)}))`;
  return {
    gender: sql<boolean>`(${who}.seeking & ${other}.gender) <> 0`,
    age: sql<boolean>`(not ${who}.age_required or (
      ${other}.birth_date <= (${day}::date - make_interval(years => ${who}.age_min))
      and ${other}.birth_date > (${day}::date - make_interval(years => ${who}.age_max + 1))))`,
    distance: sql<boolean>`(not ${who}.distance_required or ${kmBetween(who, other)} <= ${who}.max_km)`,
    interests: sql<boolean>`(${who}.needs_interests is null or ${who}.needs_interests && ${other}.interests)`,
    photoVerified: sql<boolean>`(not ${who}.needs_photo_verified or ${other}.photo_verified)`,
    languages: sql<boolean>`(${who}.needs_languages is null or ${who}.needs_languages && ${other}.languages)`,
    goal: oneOf('needs_goal', 'goal'),
    children: oneOf('needs_children', 'children'),
    smoking: oneOf('needs_smoking', 'smoking'),
    drinking: oneOf('needs_drinking', 'drinking'),
    exercise: oneOf('needs_exercise', 'exercise'),
    heightCm: sql<boolean>`(${who}.needs_height_min is null
      or ${other}.height_cm between ${who}.needs_height_min and ${who}.needs_height_max)`,
  };
}

/** Kilometres between the centres of two place cells (haversine); null if either is unknown, which meets no requirement. */
export function kmBetween(one: Row, other: Row): RawBuilder<number | null> {
  return sql<number | null>`12742 * asin(sqrt(least(1, sin(radians(${other}.latitude - ${one}.latitude) / 2) ^ 2
    + cos(radians(${one}.latitude)) * cos(radians(${other}.latitude)) * sin(radians(${other}.longitude - ${one}.longitude) / 2) ^ 2)))`;
}

/** A condition: `other` meets what `who` requires, or only these filters. */
export function requiredBy(
  who: Row,
  other: Row,
  day: string,
  names: readonly FilterName[] = filterNames,
): RawBuilder<unknown> {
  const required = requirements(who, other, day);
  return sql.join(
    names.map((name) => required[name]),
    sql` and `,
  );
}
