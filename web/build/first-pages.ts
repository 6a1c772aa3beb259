/** The files of the page that a visit to a path ends at, by who visits: the guards' rules, as far as they help to fetch early. */
export interface FirstPages {
  everybody: Record<string, string[]>;
  visitors: Record<string, string[]>;
  members: string[];
  administrators: Record<string, string[]>;
}
