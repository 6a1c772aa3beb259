/** The files of the page that a visit to a path ends at, by who visits: the guards' rules, as far as they help to fetch early. */
export interface FirstPages {
  /** Addresses of files; the lists below hold their places in here. */
  files: string[];
  everybody: Record<string, number[]>;
  visitors: Record<string, number[]>;
  members: number[];
  administrators: Record<string, number[]>;
}
