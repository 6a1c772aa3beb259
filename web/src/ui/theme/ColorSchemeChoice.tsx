import { type MantineColorScheme, useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import classes from './ColorSchemeChoice.module.css';
import { t } from '../text/text.ts';

const choices: { value: MantineColorScheme; label: string; Icon: typeof IconSun }[] = [
  { value: 'auto', label: 'System', Icon: IconDeviceDesktop },
  { value: 'light', label: 'Light', Icon: IconSun },
  { value: 'dark', label: 'Dark', Icon: IconMoon },
];

/** Light, dark, or the system's setting; stored on this device. */
export function ColorSchemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>{t('Color scheme')}</legend>
      {choices.map(({ value, label, Icon }) => (
        <label key={value} className={classes.choice}>
          <input
            type="radio"
            name="color-scheme"
            value={value}
            checked={colorScheme === value}
            onChange={() => setColorScheme(value)}
          />
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          {t(label)}
        </label>
      ))}
    </fieldset>
  );
}
