/** The routes of the credentials, as they are built in: no credential is sent to one that is not set. */
export const credentialRoutes = {
  ROOMCTL_ROUTE_PUSH_IOS_KEY: 'POST /v1/config/ios/key',
  ROOMCTL_ROUTE_PUSH_IOS_CERTIFICATE: 'POST /v1/config/ios/certificate',
  ROOMCTL_ROUTE_PUSH_ANDROID: 'POST /v1/config/android',
} as const

/** The application of the lines that name none, and the routes of the credentials. */
export const lineEnvironment = {ROOMCTL_APPLICATION_ID: 'app-1', ...credentialRoutes} as const
