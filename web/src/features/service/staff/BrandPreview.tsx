import { t } from '@lingui/core/macro';
import { Stack, Text } from '@mantine/core';
import type { CSSProperties } from 'react';
import { brandPicturePath } from '#contract/service/service.ts';
import type { Brand } from '#contract/service/settings.ts';
import { LogoMark } from '../../../ui/shell/Logo.tsx';
import classes from './service.module.css';

const usualColours = { light: '#972f33', dark: '#f0a093' };

/** A page in miniature, in one scheme whatever the reader's own. */
function Sample({ brand, scheme }: { brand: Brand; scheme: 'light' | 'dark' }) {
  const { name, logo, icon } = brand;
  const colours = brand.colours ?? usualColours;
  const style = { '--sample-accent': colours[scheme], '--sample-button': colours.light } as CSSProperties;
  return (
    <div className={classes.sample} data-scheme={scheme} style={style}>
      <div className={classes.sampleBar}>
        {logo !== null ? (
          <img className={classes.sampleLogo} src={brandPicturePath(logo)} alt={name} />
        ) : (
          <>
            {icon === null ? (
              <LogoMark size={26} />
            ) : (
              <img src={brandPicturePath(icon)} width={26} height={26} alt="" />
            )}
            <strong>{name}</strong>
          </>
        )}
      </div>
      <p>{t`Find Your Perfect Match`}</p>
      <span className={classes.sampleButton}>{t`Get Started`}</span>
      <span className={classes.sampleLink}>{t`Learn More`}</span>
    </div>
  );
}

/** A preview of the brand in both schemes, before it is saved. */
export function BrandPreview({ brand }: { brand: Brand }) {
  return (
    <Stack component="figure" gap="0.75rem" m={0} aria-label={t`Preview`}>
      <Text component="figcaption" fw={500}>
        {t`Preview`}
      </Text>
      <Sample brand={brand} scheme="light" />
      <Sample brand={brand} scheme="dark" />
    </Stack>
  );
}
