import { useServiceConfig } from '../../api/service-config.ts';
import { LanguageChoice } from '../../features/auth/account/LanguageChoice.tsx';
import { Footer } from '../../ui/shell/Footer.tsx';

/** The foot of the public pages. */
export function SiteFooter() {
  const config = useServiceConfig();
  return <Footer supportEmail={config?.supportEmail} language={<LanguageChoice />} />;
}
