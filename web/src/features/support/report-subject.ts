/** What a report is about: a person, one picture of theirs, what was written in a match, one message of it, or with nulls nobody. */
export interface ReportSubject {
  userId: string | null;
  pictureId: string | null;
  matchId: string | null;
  /** The message's place. */
  seq: number | null;
}

const placePattern = /^[1-9]\d{0,8}$/;

/** What the form at an address is about. */
export function subjectAt(params: URLSearchParams): ReportSubject {
  const matchId = params.get('match') || null;
  const place = params.get('message') ?? '';
  return {
    userId: params.get('user') || null,
    pictureId: params.get('picture') || null,
    matchId,
    seq: matchId !== null && placePattern.test(place) ? Number(place) : null,
  };
}

/** The address of the form about something. */
export function reportAddress({ userId, pictureId, matchId, seq }: Partial<ReportSubject>): string {
  const params = { user: userId, picture: pictureId, match: matchId, message: seq };
  const given = Object.entries(params).flatMap(([name, value]) => (value == null ? [] : [[name, `${value}`]]));
  return `/app/support/new?${new URLSearchParams(given).toString()}`;
}

/** Whether it is about somebody, named or not: who wrote in a match that is over is named nowhere. */
export function isAboutSomebody({ userId, matchId }: ReportSubject): boolean {
  return userId !== null || matchId !== null;
}
