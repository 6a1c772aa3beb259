import { IconShieldCheck } from '@tabler/icons-react';
import type { Evidence } from '#contract/report.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { formatExactTime, formatNumber, formatTime } from '../../ui/format.ts';
import { Notice } from '../../ui/Notice.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { useLocale, useText } from '../../ui/text.ts';
import classes from './ReportEvidence.module.css';

const shownHashLength = 12;
const genderWords: Record<string, string> = { woman: 'Woman', man: 'Man', 'non-binary': 'Non-binary' };

function ProfileCopy({ _id: id, profile }: Evidence) {
  const t = useText();
  const locale = useLocale();
  const { firstName, gender, genderText, age, bio, location, profilePicture, more_pictures: pictures } = profile;
  const place = [location?.city, location?.country].filter(Boolean).join(', ');
  const facts = [
    { name: t('Age'), value: age === null ? '' : formatNumber(age, locale) },
    { name: t('Gender'), value: genderText || t(genderWords[gender ?? ''] ?? gender ?? '') },
    { name: t('Place'), value: place },
    { name: t('Pictures'), value: formatNumber(pictures.length + (profilePicture === null ? 0 : 1), locale) },
  ];
  return (
    <>
      <div className={classes.head}>
        <Avatar id={id} name={firstName} picture={profilePicture} size={72} />
        <p className={classes.name} dir="auto">
          {firstName ?? t('Unknown')}
        </p>
      </div>
      <dl className={classes.facts}>
        {facts.map(({ name, value }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value || t('N/A')}</dd>
          </div>
        ))}
        <div className={classes.wide}>
          <dt>{t('Bio')}</dt>
          <dd className={classes.bio} dir="auto">
            {bio || t('N/A')}
          </dd>
        </div>
      </dl>
      {pictures.length > 0 && (
        <ul className={classes.pictures} aria-label={t('Pictures')}>
          {pictures.map(({ publicId, url, name }) => (
            <li key={publicId}>
              <img src={url} alt={name} width={96} height={96} loading="lazy" />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function Item({ evidence }: { evidence: Evidence }) {
  const t = useText();
  const locale = useLocale();
  return (
    <li className={classes.item}>
      <p className={classes.capture}>
        <span>
          {t('Profile as it was on')}{' '}
          <time dateTime={evidence.capturedAt} title={formatExactTime(evidence.capturedAt, locale)}>
            {formatTime(evidence.capturedAt, locale)}
          </time>
        </span>
        <code className={classes.hash} title={evidence.hash}>
          {t('SHA-256 {hash}…', { hash: evidence.hash.slice(0, shownHashLength) })}
        </code>
        {evidence.isIntact && (
          <Tag tone="positive">
            <IconShieldCheck size={14} stroke={2} aria-hidden="true" />
            {t('Unaltered')}
          </Tag>
        )}
      </p>
      {!evidence.isIntact && (
        <div className={classes.notice}>
          <Notice kind="warning">
            {t('This copy no longer matches its hash: it was altered after it was taken. Do not rely on it.')}
          </Notice>
        </div>
      )}
      <ProfileCopy {...evidence} />
    </li>
  );
}

/** What was reported, as it was frozen when the report was filed. */
export function ReportEvidence({ evidence }: { evidence: readonly Evidence[] }) {
  const t = useText();
  return (
    <Panel
      title={t('Evidence')}
      lead={t('Copied when the report was filed. Later edits and deletions leave it as it is.')}
    >
      {evidence.length === 0 ? (
        <p className={classes.none}>{t('Nothing was copied: this report is about no person.')}</p>
      ) : (
        <ul className={classes.items}>
          {evidence.map((item) => (
            <Item key={item._id} evidence={item} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
