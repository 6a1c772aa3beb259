/** Files of the build, by their places in the list of all. */
type Places = number[];

/** The files of the page that a visit to a path ends at, by who visits: the guards' rules, as far as they help to fetch early. */
export interface FirstPages {
  files: string[];
  everybody: Record<string, Places>;
  visitors: Record<string, Places>;
  members: Record<string, Places>;
  administrators: Record<string, Places>;
}
