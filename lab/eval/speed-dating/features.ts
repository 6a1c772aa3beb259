import type { Evenings, Guest, Meeting } from './evenings.ts';

/** The guests with missing values replaced by the means. */
function completed(guests: readonly Guest[]) {
  const meanOf = (values: (number | null)[]) => {
    const given = values.filter((value) => value !== null);
    return given.length === 0 ? 0 : given.reduce((sum, value) => sum + value, 0) / given.length;
  };
  const filled = (of: (guest: Guest) => (number | null)[]) => {
    const width = guests[0] === undefined ? 0 : of(guests[0]).length;
    const means = Array.from({ length: width }, (_, column) =>
      meanOf(guests.map((guest) => of(guest)[column] ?? null)),
    );
    return guests.map((guest) => of(guest).map((value, column) => value ?? means[column] ?? 0));
  };
  const [ages, habits, interests] = [
    filled(({ age }) => [age]),
    filled((guest) => guest.habits),
    filled((guest) => guest.interests),
  ];
  return guests.map(({ isMan, goal }, index) => ({
    isMan,
    goal,
    age: ages[index]?.[0] ?? 0,
    habits: habits[index] ?? [],
    interests: interests[index] ?? [],
  }));
}

/** The cosine of two lists of interests, each around its own mean. */
function cosine(one: readonly number[], other: readonly number[]): number {
  const around = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
    return values.map((value) => value - mean);
  };
  const [a, b] = [around(one), around(other)];
  const product = a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
  const lengths = Math.hypot(...a) * Math.hypot(...b);
  return lengths === 0 ? 0 : product / lengths;
}

/** What a content model may look at for each decision: ages, goals, habits and interests of both; and their interests' cosine. */
export function featuresOf({ guests, meetings, goals }: Evenings): { rows: Float64Array[]; cosines: number[] } {
  const people = completed(guests);
  const pairOf = ({ rater, rated }: Meeting) => {
    const [one, other] = [people[rater], people[rated]];
    if (one === undefined || other === undefined) throw new RangeError('A decision about an unknown guest');
    return { one, other };
  };
  const rows = meetings.map((meeting) => {
    const { one, other } = pairOf(meeting);
    const older = other.age - one.age;
    return Float64Array.from([
      one.isMan,
      one.age,
      other.age,
      Math.abs(older),
      older * (one.isMan - 0.5),
      one.goal === other.goal && one.goal !== '' ? 1 : 0,
      ...goals.flatMap((goal) => [one.goal === goal ? 1 : 0, other.goal === goal ? 1 : 0]),
      ...one.habits.flatMap((habit, index) => {
        const theirs = other.habits[index] ?? 0;
        return [habit, theirs, Math.abs(habit - theirs)];
      }),
      ...one.interests,
      // Men and women value features of the other person differently.
      ...other.interests.flatMap((interest) => [interest, interest * (one.isMan - 0.5)]),
      cosine(one.interests, other.interests),
    ]);
  });
  return {
    rows,
    cosines: meetings.map((meeting) => {
      const { one, other } = pairOf(meeting);
      return cosine(one.interests, other.interests);
    }),
  };
}
