import { useBrand } from '../../brand.ts';
import classes from './shell.module.css';

/** The brand's icon, or a heart drawn as growth rings. It is decorative, because the name is next to it. */
export function LogoMark({ size = 32 }: { size?: number }) {
  const { icon } = useBrand();
  if (icon !== null) return <img className={classes.mark} src={icon} width={size} height={size} alt="" />;
  return (
    <svg
      className={classes.mark}
      width={size}
      height={size}
      viewBox="0 0 48 48"
      fill="none"
      aria-hidden="true"
      focusable="false"
    >
      <path
        className={classes.bark}
        d="M24 42.5C13.2 35.6 4.5 28 4.5 18.2 4.5 11.6 9.4 6.5 15.6 6.5c3.5 0 6.5 1.7 8.4 4.5 1.9-2.8 4.9-4.5 8.4-4.5 6.2 0 11.1 5.1 11.1 11.7 0 9.8-8.7 17.4-19.5 24.3Z"
      />
      <path
        className={classes.ring}
        d="M24 35.4C16.6 30.5 10.5 25.2 10.5 18.5 10.5 14.9 13.1 12.3 16.3 12.300c3.3 0 5.6 2.2 7.7 5.5 2.1-3.3 4.4-5.5 7.7-5.5 3.2 0 5.8 2.6 5.8 6.2 0 6.7-6.1 12-13.5 16.900Z"
      />
      <path
        className={classes.ring}
        d="M24 28.600C19.9 25.7 16 22.6 16 19.400c0-1.5 1-2.5 2.3-2.5 2.1 0 3.9 2.7 5.7 5.9 1.8-3.2 3.6-5.9 5.7-5.9 1.3 0 2.3 1 2.3 2.5 0 3.2-3.9 6.3-8 9.200Z"
      />
    </svg>
  );
}

/** The brand's logo, or its icon with the name. */
export function Logo() {
  const { name, logo } = useBrand();
  if (logo !== null) return <img className={classes.picture} src={logo} alt={name} />;
  return (
    <span className={classes.logo}>
      <LogoMark />
      <span className={classes.logoName}>{name}</span>
    </span>
  );
}
