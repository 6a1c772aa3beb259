import { PageHeading } from '../../ui/PageHeading.tsx';

export function SignInPage() {
  return <PageHeading>{'SignIn'}</PageHeading>;
}
