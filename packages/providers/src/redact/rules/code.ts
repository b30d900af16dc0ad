import { djangoRule } from './django-key.ts';
import type { RedactionRule } from '../redaction-rule.ts';
import { isMixed } from './judge.ts';
import { named, shape, UUID } from './shape.ts';

/** Keys of places for code, of builds, and of registries of packages. */
export const codeRules: readonly RedactionRule[] = [
  djangoRule,
  // Since 2026 tokens of apps are `ghs_APPID_JWT`: https://github.com/gitleaks/gitleaks/issues/2192
  shape(
    'github-token',
    'GitHub app and Actions',
    /gh[su]_\d{1,20}_eyJ[\w-]{4,4000}(?:\.[\w-]{4,4000}){0,2}/,
    {
      keywords: ['ghs_', 'ghu_'],
    },
  ),
  shape('github-token', 'GitHub', /gh[pousr]_[A-Za-z0-9]{20,255}(?:\.[\w-]{10,4000}){0,2}/),
  shape('github-token', 'GitHub, fine-grained', /github_pat_[A-Za-z0-9]{11,22}_\w{10,255}/),
  shape('github-token', 'GitHub, fine-grained, any form', /github_pat_[A-Za-z0-9]{20,255}/),
  shape(
    'gitlab-token',
    'GitLab: access, runner, deploy, trigger, feed, agent, SCIM, mail and feature flag tokens',
    /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|oas|soat|ffct|wt)-[\w-]{20,300}(?:\.[\w-]{2}\.?[\w-]{7,9})?/,
  ),
  shape('gitlab-token', 'GitLab runner registration', /GR1348941[\w-]{20}/),
  shape('gitlab-session', 'GitLab session', /_gitlab_session=[\da-f]{32}/),
  shape('bitbucket-token', 'Bitbucket app password', /ATBB[A-Za-z0-9_=.-]{24,80}/, { is: isMixed }),
  shape('atlassian-token', 'Atlassian', /AT(?:ATT|CTT|STT|OTT|ADT)3[\w=+/.-]{50,300}/, {
    is: isMixed,
  }),
  shape('bitbucket-token', 'Bitbucket Data Center', /BBDC-[A-Za-z0-9+/@_-]{40,50}/, {
    is: isMixed,
  }),
  named('atlassian-token', 'Atlassian, older', '(?:atlassian|confluence|jira)', '[a-zA-Z0-9]{24}', {
    is: isMixed,
  }),
  named('bitbucket-secret', 'Bitbucket', 'bitbucket', '[A-Za-z0-9_=-]{32,64}'),
  named('gitea-token', 'Gitea, Forgejo, Codeberg', '(?:gitea|forgejo|codeberg)', '[a-f0-9]{40}'),
  shape(
    'sourcegraph-token',
    'Sourcegraph',
    /(?:sgp_(?:[\da-f]{16}_|local_){0,2}[\da-f]{40}|(?:sl[kw]|sgd)_[\da-f]{64})/i,
    {
      keywords: ['sgp_', 'slk_', 'slw_', 'sgd_'],
    },
  ),
  shape('trufflehog-key', 'TruffleHog', /thog-(?:key-[\da-f]{16}|secret-[\da-f]{32})/),
  shape('circleci-token', 'CircleCI', /CCI(?:PAT|PRJ)_[A-Za-z0-9]{22}_[\da-f]{40}/i),
  named('circleci-token', 'CircleCI, older', 'circle', '[a-f0-9]{40}'),
  shape('buildkite-token', 'Buildkite', /bk(?:ua|aj|ct|et|pt|pi)_[A-Za-z0-9_-]{30,60}/),
  named('travis-token', 'Travis CI', 'travis', '[\\w-]{22}', { is: isMixed }),
  named('drone-token', 'Drone CI', 'drone', '[A-Za-z0-9]{32}'),
  named('jenkins-token', 'Jenkins', 'jenkins', '11[a-f0-9]{32}'),
  shape('harness-key', 'Harness', /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/, {
    keywords: ['pat.', 'sat.'],
  }),
  shape('octopus-key', 'Octopus Deploy', /API-[A-Z0-9]{25,32}(?!\w)/),
  shape('appveyor-token', 'AppVeyor', /v2\.[a-z0-9]{20}(?!\w)/),
  named('codecov-token', 'Codecov', 'codecov', `(?:[a-z0-9]{32}|${UUID})`),
  shape('sonar-token', 'SonarQube', /sq(?:a|p|u|co)_[A-Za-z0-9]{40,60}/),
  named('sonar-token', 'SonarQube, older', 'sonar', '[a-f0-9]{40}'),
  shape('snyk-token', 'Snyk', /snyk_(?:uat|sat)\.[\w.-]{20,200}/),
  named('snyk-token', 'Snyk, older', 'snyk', UUID),
  named('coveralls-token', 'Coveralls', 'coveralls', '[A-Za-z0-9]{33,37}'),
  shape('npm-token', 'npm', /npm_[A-Za-z0-9]{36}/),
  shape('npm-token', 'npm, cut off', /npm_[A-Za-z0-9]{16,35}(?=$|\.{3}|…)/, { is: isMixed }),
  shape(
    'npm-auth',
    'npm registry in .npmrc',
    /_(?:authToken|password)\s?=\s?"?(?<secret>[\w+/.-]{8,2000}={0,2})/,
    {
      is: (secret) => /[\d=+/]/.test(secret),
    },
  ),
  shape('pypi-token', 'PyPI', /pypi-[A-Za-z0-9_-]{50,1000}/, { is: isMixed }),
  shape('rubygems-key', 'RubyGems', /rubygems_[A-Za-z0-9]{40,48}/),
  shape('nuget-key', 'NuGet', /(?<![A-Za-z0-9/]\+?)oy2[a-z0-9]{43}(?!\w)/),
  shape('docker-token', 'Docker', /dckr_[po]at_[\w-]{20,40}/),
  shape('crates-token', 'crates.io', /(?<![A-Za-z0-9/]\+?)cio[A-Za-z0-9]{32}(?!\w)/, {
    is: isMixed,
  }),
  shape('clojars-token', 'Clojars', /CLOJARS_[a-z0-9]{60}/i),
  shape('packagist-token', 'Packagist', /packagist_[a-z]{3}_[\da-f]{40,80}/),
  shape('artifactory-key', 'JFrog Artifactory', /AKCp[A-Za-z0-9]{60,74}/),
  shape('artifactory-token', 'JFrog reference token', /cmVmd[A-Za-z0-9]{50,64}/),
  named('jfrog-token', 'JFrog', '(?:jfrog|artifactory)', '[A-Za-z0-9]{64,73}'),
  named(
    'cloudsmith-key',
    'Cloudsmith and packagecloud',
    '(?:cloudsmith|packagecloud)',
    '[a-f0-9]{40,48}',
  ),
  shape('deno-token', 'Deno Deploy', /dd[pwo]_[A-Za-z0-9]{36}/),
  shape('expo-token', 'Expo', /exp_[A-Za-z0-9]{30,60}/, { is: isMixed }),
  shape('postman-key', 'Postman', /PMAK-[A-Za-z0-9-]{28,64}/),
  shape('postman-token', 'Postman collection', /PMAT-[A-Z0-9]{26}/),
  shape('readme-key', 'ReadMe', /rdme_[a-z0-9]{50,80}/),
  shape('launchdarkly-key', 'LaunchDarkly', new RegExp(`(?:api|sdk)-${UUID}`)),
  shape('launchdarkly-key', 'LaunchDarkly relay and mobile', new RegExp(`(?:mob|rel)-${UUID}`)),
  shape('statsig-key', 'Statsig', /secret-[A-Za-z0-9]{43}(?!\w)/, { is: isMixed }),
  shape('unleash-token', 'Unleash', /\*:(?:\*|[a-z]{1,30})\.[\da-f]{56,64}/),
  shape('graphite-token', 'Graphite', /gtwt_[A-Za-z0-9]{20,60}/, { is: isMixed }),
  shape('infracost-key', 'Infracost', /ico-[A-Za-z0-9]{32}/, { is: isMixed }),
  shape('endorlabs-key', 'Endor Labs', /endr\+[A-Za-z0-9-]{10,16}/),
  shape('retool-token', 'Retool', /retool_[\w-]{20,60}/, { is: isMixed }),
  shape('rootly-key', 'Rootly', /rootly_[\da-f]{64}/),
  shape('scalingo-token', 'Scalingo', /tk-[a-z]{2}-[\w-]{48}/),
  shape('openvsx-token', 'Open VSX', /ovsxat_[\w-]{30,60}/),
  shape('chromatic-token', 'Chromatic', /chpt_[a-z0-9]{12,40}/),
  shape('socket-key', 'Socket', /sktsec_[\w-]{40,60}/),
  shape('depot-token', 'Depot', /depot_(?:org|project|user)_[\da-f]{64}/),
  named('gitter-token', 'Gitter', 'gitter', '[\\w-]{40}'),
];
