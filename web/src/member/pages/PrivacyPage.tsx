import { useServiceConfig } from '../../api/service-config.ts';
import { PageHeading } from '../../ui/PageHeading.tsx';
import { SupportButton } from '../../ui/SupportButton.tsx';
import { useText } from '../../ui/text.ts';
import { privacyTexts } from '../privacy-texts.ts';
import classes from './Reading.module.css';

/** The privacy policy. */
export function PrivacyPage() {
  const t = useText();
  const config = useServiceConfig();
  return (
    <div className={classes.page}>
      <PageHeading className={classes.title}>{t('Privacy Policy')}</PageHeading>
      <p className={classes.lead}>{t('Last updated: Oct 20, 2025')}</p>
      <p className={classes.adults}>{t('Heartwood is not for people under 18.')}</p>
      <ol className={classes.sections}>
        {privacyTexts.map(({ title, paragraphs }, index) => (
          <li key={title} className={classes.section}>
            <h2>{`${index + 1}. ${t(title)}`}</h2>
            {paragraphs.map((paragraph) => (
              <p key={paragraph}>{t(paragraph)}</p>
            ))}
          </li>
        ))}
      </ol>
      <aside className={classes.contact} aria-label={t('Contact')}>
        <div>
          <p className={classes.contactTitle}>{t('Questions about your data?')}</p>
          <p className={classes.contactText}>{t('Our support team answers them.')}</p>
        </div>
        <SupportButton supportEmail={config?.supportEmail} />
      </aside>
    </div>
  );
}
