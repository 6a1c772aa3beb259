/** What a report is about: a person, one of their pictures, a match's messages, one of these, or with nulls a problem in general. */
export interface ReportSubject {
  userId: string | null;
  pictureId: string | null;
  matchId: string | null;
  /** The message's number in the conversation. */
  seq: number | null;
}

const placePattern = /^[1-9]\d{0,8}$/;

/** The subject of the form at an address. */
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

/** The address of the report form for a subject. */
export function reportAddress({ userId, pictureId, matchId, seq }: Partial<ReportSubject>): string {
  const params = { user: userId, picture: pictureId, match: matchId, message: seq };
  const given = Object.entries(params).flatMap(([name, value]) => (value == null ? [] : [[name, `${value}`]]));
  return `/app/support/new?${new URLSearchParams(given).toString()}`;
}

/** Whether it is about a person; in a match that has ended the person is not named. */
export function isAboutPerson({ userId, matchId }: ReportSubject): boolean {
  return userId !== null || matchId !== null;
}
