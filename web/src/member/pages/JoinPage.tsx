import { PageHeading } from '../../ui/PageHeading.tsx';

export function JoinPage() {
  return <PageHeading>{'Join'}</PageHeading>;
}
