import { Team } from '../../features/profiles/staff/Team.tsx';

/** The staff and their roles. */
export function TeamPage() {
  return <Team />;
}
