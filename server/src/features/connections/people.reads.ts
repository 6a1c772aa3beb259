import { type Reader, type UserRow, usersByIds } from '../profiles/public.ts';

/** Builds a view of each of the `rows` from its user, whom `toView` shapes for the reader. Rows of deleted accounts are left out. */
export async function withUsers<R extends { user_id: string }, V>(
  { db }: Pick<Reader, 'db'>,
  rows: R[],
  toView: (user: UserRow, row: R) => V,
): Promise<V[]> {
  const users = await usersByIds(
    db,
    rows.map(({ user_id }) => user_id),
  );
  const byId = new Map(users.map((user) => [user.id, user]));
  return rows.flatMap((row) => {
    const user = byId.get(row.user_id);
    return user === undefined ? [] : [toView(user, row)];
  });
}
