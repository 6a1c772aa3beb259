import { PageHeading } from '../../ui/PageHeading.tsx';

export function FaqsPage() {
  return <PageHeading>{'Faqs'}</PageHeading>;
}
